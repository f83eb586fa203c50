import {
  AgentBuilder,
  CallableHook,
  type ExecutionHookContext,
  type Hook,
  HookEvent,
  type HookNext,
  HookOutcome,
  type ToolHookContext,
  ToolNameMatcher,
  ToolResult,
} from "@tenterhook/agent/builder";
import { scriptedModel } from "@tenterhook/agent/testing";
import { block, createHooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { RateLimiter, RateLimitHook } from "./rate-limit-hook.ts";
import { bash, calls, scriptedBuilder } from "./scripted-builder.ts";

describe("priority", () => {
  test("higher runs first, equal ones in order of registration, logging last", async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(note("logging"), { priority: -100 })
      .onBeforeToolUse(note("normal"), { priority: 0 })
      .onBeforeToolUse(note("also normal"))
      .onBeforeToolUse(note("security"), { priority: 100 })
      .onAfterToolUse(note("metrics"))
      .onAfterToolUse(note("logger"), { priority: -100 })
      .build()
      .run("Go");
    expect(order).toEqual(["security", "normal", "also normal", "logging", "metrics", "logger"]);
  });

  test("a security hook that blocks prevents the others from being called", async () => {
    const asked: string[] = [];
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => void asked.push("normal"))
      .onBeforeToolUse(() => HookOutcome.block("no"), { priority: 100 })
      .build()
      .run("Go");
    expect(asked).toEqual([]);
  });

  test("a hook with low priority sees what others changed", async () => {
    const logged: unknown[] = [];
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse((ctx) => void logged.push(ctx.toolCall().args().command), { priority: -100 })
      .onBeforeToolUse((ctx) => ctx.toolCall().withArgs({ command: "ls -la" }))
      .build()
      .run("Go");
    expect(logged).toEqual(["ls -la"]);
  });
});

describe("addHook", () => {
  test("registers a callable hook with its matcher and priority", async () => {
    const order: string[] = [];
    const { builder } = scriptedBuilder([
      { toolCalls: [...bash("ls").toolCalls, ...calls("read_file").toolCalls] },
      "done",
    ]);
    const shellOnly = (ctx: ToolHookContext) => void order.push(`matched ${ctx.toolCall().name()}`);
    const agent = builder
      .onExecutionStart(() => void order.push("normal"))
      .addHook(HookEvent.ExecutionStart, new CallableHook(() => void order.push("first")), { priority: 100 })
      .addHook(HookEvent.PreToolUse, new CallableHook(shellOnly, new ToolNameMatcher("bash")))
      .build();
    await agent.run("Go");
    expect(order).toEqual(["first", "normal", "matched bash"]);
    expect(agent.hooks.list("before_tool")).toMatchObject([
      { name: "shellOnly", matcher: "tool bash", source: "builder" },
    ]);
  });

  test("a callable hook may wrap the ones behind it", async () => {
    const order: string[] = [];
    const { builder } = scriptedBuilder(["done"]);
    const wrapping = new CallableHook(async (context: ExecutionHookContext, next) => {
      order.push("in");
      const outcome = await next(context.withMetadata("wrapped", true));
      order.push(outcome.isProceed() ? "out" : "refused");
      return outcome;
    });
    await builder
      .onExecutionStart((ctx) => void order.push(`inner ${ctx.get("wrapped")}`))
      .addHook(HookEvent.ExecutionStart, wrapping, { priority: 1 })
      .build()
      .run("Go");
    expect(order).toEqual(["in", "inner true", "out"]);
  });

  test("a hook that does not wait for next does not lose the hooks behind it, nor end the process by a refused change", async () => {
    for (const args of [{ command: "pwd" }, { command: 7 }]) {
      const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
      const hasty = (ctx: ToolHookContext, next: HookNext) =>
        void next(ctx.withToolCall(ctx.toolCall().withArgs(args)));
      await builder
        .addHook(HookEvent.PreToolUse, new CallableHook(hasty), { priority: 1, onError: "continue" })
        .onBeforeToolUse(async (ctx) => HookOutcome.block(`not ${ctx.toolCall().args().command}`))
        .build()
        .run("Go");
      expect(ran).toEqual([]);
    }
  });

  test("a refusal of an inner hook cannot be softened by an outer one", async () => {
    const seen: unknown[] = [];
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const softening = new CallableHook(async (context: ToolHookContext, next) => {
      const outcome = await next(context);
      seen.push(outcome.isBlocked(), outcome.reason());
      return HookOutcome.proceed();
    });
    await builder
      .addHook(HookEvent.PreToolUse, softening, { priority: 1 })
      .onBeforeToolUse(() => HookOutcome.block("no shell"))
      .build()
      .run("Go");
    expect([seen, ran]).toEqual([[true, "no shell"], []]);
  });

  test("an outcome that is passed on stays that of the inner hook", async () => {
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const guard = () => HookOutcome.block("no shell");
    const run = await builder
      .addHook(HookEvent.PreToolUse, { handle: (context, next) => next(context) }, { priority: 1 })
      .onBeforeToolUse(guard)
      .build()
      .run("Go");
    expect(run.acts).toMatchObject([{ event: "before_tool", hook: "guard", reason: "no shell" }]);
  });

  test("a success handed to next in a failure's place recovers from it", async () => {
    const { builder, outputs } = scriptedBuilder([calls("flaky"), "done"]);
    const recovering: Hook<ToolHookContext> = {
      handle(context, next) {
        const execution = context.execution();
        return next(
          execution ? context.withExecution(execution.withResult(ToolResult.success("ok"))) : context,
        );
      },
    };
    await builder.addHook(HookEvent.PostToolUse, recovering).build().run("Go");
    expect(outputs()).toEqual([{ type: "text", value: "ok" }]);
  });
});

describe("a hook of one's own", () => {
  test("is a class with handle(context, next), named after it", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("a"), bash("b"), bash("c"), "done"]);
    const agent = builder.addHook(HookEvent.PreToolUse, new RateLimitHook(new RateLimiter(), 2)).build();
    await agent.run("Go");
    expect(ran).toEqual(["a", "b"]);
    expect(outputs().at(-1)).toEqual({ type: "execution-denied", reason: "Rate limit exceeded" });
    expect(agent.hooks.list("before_tool")[0]?.name).toBe("RateLimitHook");
  });

  test("that throws fails like any hook: before a tool that blocks, and names it", async () => {
    class Broken implements Hook {
      handle(): HookOutcome {
        throw new Error("no connection");
      }
    }
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder.addHook(HookEvent.PreToolUse, new Broken()).build().run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toMatch(/Broken.*no connection/);
  });

  test("that answers after its timeout has changed nothing", async () => {
    const bag: Record<string, unknown> = {};
    let resolve = () => {};
    const end = new Promise<void>((done) => {
      resolve = done;
    });
    const slow = async (ctx: ExecutionHookContext) => {
      await end;
      return HookOutcome.proceed(ctx.withMetadata("late", true));
    };
    const reported: string[] = [];
    const hooks = createHooks({ report: ({ code }) => void reported.push(code) });
    const { builder } = scriptedBuilder(["done"]);
    const run = await builder
      .with({ hooks })
      .onExecutionStart(slow, { timeoutMs: 1, onError: "continue" })
      .onStop(() => resolve())
      .build()
      .run("Go", { metadata: bag });
    expect([run.text, bag, reported]).toEqual(["done", {}, ["hook_timeout"]]);
  });

  test("may have a matcher, and its registration another: both must match", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([bash("ls"), bash("pwd"), "done"]);
    const note = (ctx: ToolHookContext) => void seen.push(ctx.toolCall().args().command);
    const early = new CallableHook(note, (context) => context.state().stepCount() === 0);
    const agent = builder.addHook(HookEvent.PreToolUse, early, { matcher: "bash" });
    await agent.addHook(HookEvent.PreToolUse, early, { matcher: "read_*" }).build().run("Go");
    expect(seen).toEqual(["ls"]);
  });
});

describe("build", () => {
  test("gives every agent hooks of its own, and later additions do not reach it", async () => {
    const order: string[] = [];
    const model = scriptedModel(["done"], { repeat: true });
    const builder = AgentBuilder.new().withModel(model);
    const first = builder.onExecutionStart(() => void order.push("shared")).build();
    const second = builder.onExecutionStart(() => void order.push("later")).build();
    second.hooks.on("before_agent", () => void order.push("second's own"));
    await first.run("Go");
    await second.run("Go");
    expect(first.hooks).not.toBe(second.hooks);
    expect(order).toEqual(["shared", "shared", "later", "second's own"]);
  });

  test("takes in a set of hooks, or a configuration of them, without changing it", async () => {
    const shared = createHooks();
    shared.on("before_tool", () => block("by the shared set"));
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .with({ hooks: shared })
      .onBeforeToolUse(() => HookOutcome.block("unreached"), { priority: -1 })
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "execution-denied", reason: "by the shared set" }]);
    expect(shared.list()).toHaveLength(1);

    const configured = scriptedBuilder([bash("ls"), "done"]);
    await configured.builder
      .with({
        hooks: { beforeTool: [() => ({ skip: true, result: { success: true, result: "configured" } })] },
      })
      .build()
      .run("Go");
    expect(configured.outputs()).toEqual([{ type: "text", value: "configured" }]);
  });
});
