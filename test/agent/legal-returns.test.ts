import {
  AfterStepHook,
  AfterToolHook,
  AgentExecution,
  AgentState,
  AgentStep,
  BeforeStepHook,
  BeforeToolHook,
  CallableHook,
  ExecutionHookContext,
  type Hook,
  type HookContext,
  HookEvent,
  HookOutcome,
  HookStack,
  StepHookContext,
  ToolCall,
  ToolHookContext,
  ToolResult,
} from "@tenterhook/agent/builder";
import { describe, expect, test } from "vitest";
import { bash, scriptedBuilder } from "./scripted-builder.ts";

const state = new AgentState({ agentId: "agent-7" });
const call = new ToolCall("bash", { command: "ls" });
const before = ToolHookContext.beforeTool(call, state);
const after = ToolHookContext.afterTool(new AgentExecution(call, ToolResult.success("raw")), state);
const beforeStep = StepHookContext.beforeStep(state, 0);
const afterStep = StepHookContext.afterStep(state, new AgentStep({ index: 0, text: "", toolCalls: [] }));

/** The outcome, and the context that arrived behind the hooks. */
async function pass(context: HookContext, ...hooks: readonly Hook<never>[]) {
  let arrived: HookContext | undefined;
  const stack = hooks.reduce((all, hook) => all.with(hook as Hook), new HookStack().withAll([]));
  const outcome = await stack.process(context, (reached) => {
    arrived = reached;
    return HookOutcome.proceed(reached);
  });
  return { outcome, arrived };
}

describe('"(ToolHookContext) -> HookOutcome|ToolCall|null|void"', () => {
  test.each([
    ["at once", () => null],
    ["later", async () => null],
  ])("null from a BeforeToolHook %s blocks by itself, whatever its onError", async (_, callback) => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const run = await builder
      .addHook(HookEvent.PreToolUse, new BeforeToolHook(callback), { onError: "continue" })
      .build()
      .run("Go");
    const reason = "a hook blocked the call and gave no reason";
    expect([ran, outputs()]).toEqual([[], [{ type: "execution-denied", reason }]]);
    expect(run.acts).toMatchObject([{ event: "before_tool", action: "refuse", reason }]);
    expect(run.acts[0]).not.toHaveProperty("failed", true);
  });

  test("null from any other hook before a tool blocks too", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), bash("pwd"), "done"]);
    const isFirst = (context: HookContext) => context.state().stepCount() === 0;
    await builder
      .addHook(HookEvent.PreToolUse, new CallableHook(() => null, isFirst), { onError: "continue" })
      .addHook(HookEvent.PreToolUse, { handle: () => null as never }, { onError: "continue" })
      .build()
      .run("Go");
    expect(ran).toEqual([]);
  });

  test("in a bare stack null blocks, and the hooks behind it are not called", async () => {
    const refusing: readonly Hook<never>[] = [
      new BeforeToolHook(() => null),
      new BeforeToolHook(async () => null),
      new CallableHook(() => null),
      { handle: () => null as never },
      { handle: async () => null as never },
    ];
    for (const hook of refusing) {
      const { outcome, arrived } = await pass(before, hook, new CallableHook(() => expect.unreachable()));
      expect([outcome.isBlocked(), outcome.reason(), arrived]).toEqual([
        true,
        "a hook blocked the call and gave no reason",
        undefined,
      ]);
    }
  });

  test("in a bare stack a ToolCall is the call that the hooks behind it get, and nothing proceeds", async () => {
    const changed = call.withArgs({ command: "ls -la" });
    const changing: readonly Hook<never>[] = [
      new BeforeToolHook(() => changed),
      new BeforeToolHook(async () => changed),
      { handle: () => changed as never },
    ];
    for (const hook of changing) {
      const seen: unknown[] = [];
      const noting = new BeforeToolHook((ctx) => void seen.push(ctx.toolCall().args().command));
      const { outcome, arrived } = await pass(before, hook, noting, new BeforeToolHook(() => {}));
      expect([outcome.isProceed(), seen]).toEqual([true, ["ls -la"]]);
      expect((arrived as ToolHookContext).toolCall()).toBe(changed);
    }
  });
});

describe('"(ToolHookContext) -> HookOutcome|AgentExecution|void"', () => {
  test("in a bare stack an AgentExecution takes the place of the result", async () => {
    const { arrived } = await pass(
      after,
      new AfterToolHook((ctx) => ctx.execution()?.withResult(ToolResult.success("redacted"))),
    );
    expect((arrived as ToolHookContext).execution()?.result().value()).toBe("redacted");
  });
});

describe('"(AgentState) -> AgentState"', () => {
  test("in a bare stack an AgentState is what the hooks behind it get, before and after a step", async () => {
    const counted = (context: HookContext) =>
      context.state().withMetadata("count", context.get("count", 0) + 1);
    for (const [context, Class] of [
      [beforeStep, BeforeStepHook],
      [afterStep, AfterStepHook],
    ] as const) {
      const { arrived } = await pass(context, new Class(counted), new CallableHook(counted), {
        handle: counted as never,
      });
      expect(arrived?.get("count")).toBe(3);
    }
  });
});

describe("the context that a hook was given, or a changed copy of it,", () => {
  test("is what the hooks behind it get in a bare stack", async () => {
    const noted = (context: HookContext) => context.withMetadata("count", context.get("count", 0) + 1);
    for (const context of [before, after, beforeStep, afterStep, ExecutionHookContext.onStart(state)]) {
      const { outcome, arrived } = await pass(
        context,
        new CallableHook(noted as never),
        new CallableHook((given) => given as never),
        { handle: async (given: HookContext) => noted(given) as never },
      );
      expect([outcome.isProceed(), arrived?.get("count")]).toEqual([true, 2]);
    }
  });

  test("proceeds with it in an agent, from a callback and from a hook", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const bag: Record<string, unknown> = {};
    const run = await builder
      .onExecutionStart((ctx) => ctx.withMetadata("started", true))
      .onBeforeToolUse((ctx) => ctx)
      .onBeforeToolUse(async (ctx) => ctx.withToolCall(ctx.toolCall().withArgs({ command: "pwd" })))
      .addHook(HookEvent.PreToolUse, new CallableHook((ctx) => ctx.withMetadata("guarded", true) as never))
      .onStop((ctx) => ctx.withMetadata("stopped", true))
      .build()
      .run("Go", { metadata: bag });
    expect([run.status, ran, bag]).toEqual([
      "completed",
      ["pwd"],
      { started: true, guarded: true, stopped: true },
    ]);
  });

  test("that belongs to another event is an error of the hook in an agent", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const wrong = (ctx: ToolHookContext) => ExecutionHookContext.onStart(ctx.state()) as never;
    await builder.onBeforeToolUse(wrong).build().run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toMatch(/wrong.*a context of ExecutionStart at PreToolUse/);
  });
});

describe("a value that does not belong to the event", () => {
  test.each([
    ["a ToolCall after a tool", after, call, /a ToolCall at PostToolUse.*PreToolUse/],
    [
      "an AgentExecution before a tool",
      before,
      after.execution(),
      /an AgentExecution at PreToolUse.*PostToolUse/,
    ],
    ["an AgentState before a tool", before, state, /an AgentState at PreToolUse.*BeforeStep, AfterStep/],
    ["null after a tool", after, null, /not an outcome: null.*null is for PreToolUse/],
    ["null at the start of a run", ExecutionHookContext.onStart(state), null, /not an outcome: null/],
    ["null before a step", beforeStep, null, /not an outcome: null/],
    ["a number", before, 42, /not an outcome: 42/],
    ["a context of another event", before, after, /a context of PostToolUse at PreToolUse/],
  ])("is an error that names it in a bare stack: %s", async (_, context, value, message) => {
    await expect(pass(context, new CallableHook(() => value as never))).rejects.toThrow(message);
    await expect(pass(context, { handle: () => value as never })).rejects.toThrow(message);
  });

  test("is an error of the hook in an agent, which blocks the call", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const wrong = (ctx: ToolHookContext) => ctx.state() as never;
    await builder.onBeforeToolUse(wrong).build().run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toMatch(/wrong.*an AgentState at PreToolUse/);
  });
});

describe("a hook in a bare stack", () => {
  test("that called next cannot let pass what was refused behind it by returning a value", async () => {
    const late = new BeforeToolHook(async (ctx, next) => {
      await next(ctx);
      return ctx.toolCall();
    });
    const { outcome } = await pass(before, late, new BeforeToolHook(() => null));
    expect(outcome.isBlocked()).toBe(true);
  });

  test("that is a class and returns nothing is an error that names it and says what to return", async () => {
    class Forgetful {
      handle() {}
    }
    await expect(pass(before, new Forgetful() as never)).rejects.toThrow(
      /hook "Forgetful".*returned nothing.*return next\(context\)/i,
    );
  });
});
