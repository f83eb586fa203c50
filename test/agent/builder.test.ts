import { Agent } from "@tenterhook/agent";
import {
  AgentBuilder,
  type ExecutionHookContext,
  type FailureHookContext,
  HookEvent,
  HookOutcome,
  type ToolHookContext,
} from "@tenterhook/agent/builder";
import { scriptedModel } from "@tenterhook/agent/testing";
import { describe, expect, test } from "vitest";
import { bash, calls, ending, scriptedBuilder, userTexts } from "./scripted-builder.ts";

describe("quick start", () => {
  const guarded = (script: Parameters<typeof scriptedBuilder>[0]) => {
    const log: string[] = [];
    const made = scriptedBuilder(script);
    const agent = made.builder
      .onBeforeToolUse({
        callback: (ctx: ToolHookContext) => {
          const command = String(ctx.toolCall().args().command ?? "");
          if (command.includes("rm -rf")) return HookOutcome.block("Dangerous command blocked");
          return HookOutcome.proceed();
        },
        priority: 100,
        matcher: "bash",
      })
      .onExecutionStart((ctx: ExecutionHookContext) => {
        log.push(`Agent started: ${ctx.state().agentId}`);
        return HookOutcome.proceed();
      })
      .onAgentFailed((ctx: FailureHookContext) => {
        log.push(`Agent failed: ${ctx.errorMessage()}`);
      })
      .build();
    return { ...made, agent, log };
  };

  test("a dangerous command does not run, the others do, and the start is logged", async () => {
    const { agent, ran, outputs, log } = guarded([bash("rm -rf /", "ls"), "done"]);
    expect(agent).toBeInstanceOf(Agent);
    expect((await agent.run("Tidy up")).text).toBe("done");
    expect(ran).toEqual(["ls"]);
    expect(outputs()).toEqual([
      { type: "execution-denied", reason: "Dangerous command blocked" },
      { type: "text", value: "ran ls" },
    ]);
    expect(log).toEqual(["Agent started: worker"]);
  });

  test("a failure is alerted", async () => {
    const { agent, log } = guarded([{ error: new Error("out of memory") }]);
    await expect(agent.run("Tidy up")).rejects.toThrow("out of memory");
    expect(log).toEqual(["Agent started: worker", "Agent failed: out of memory"]);
  });
});

describe("the nine lifecycle events", () => {
  test("all fire in one run, in order, each with a context of its class", async () => {
    const seen: string[] = [];
    const helper = AgentBuilder.new()
      .withName("helper")
      .withModel(scriptedModel(["helped"]))
      .build();
    const failing = { error: new Error("the model is gone") };
    const { builder } = scriptedBuilder([
      { toolCalls: [{ name: "helper", input: { task: "help" } }] },
      "done",
      failing,
    ]);
    const agent = builder
      .withSubagents(helper)
      .addHook(Object.values(HookEvent), {
        handle(context, next) {
          seen.push(`${context.eventType()} ${context.constructor.name} ${context.state().agentId}`);
          return next(context);
        },
      })
      .build();
    await agent.run("Get help");
    await expect(agent.run("Fail")).rejects.toThrow("the model is gone");
    expect(seen).toEqual([
      "ExecutionStart ExecutionHookContext worker",
      "BeforeStep StepHookContext worker",
      "PreToolUse ToolHookContext worker",
      // The parent's hooks hold in the subagent too, except for what is about a turn of its own.
      "BeforeStep StepHookContext helper",
      "AfterStep StepHookContext helper",
      "SubagentStop StopHookContext helper",
      "PostToolUse ToolHookContext worker",
      "AfterStep StepHookContext worker",
      "BeforeStep StepHookContext worker",
      "AfterStep StepHookContext worker",
      "Stop StopHookContext worker",
      "ExecutionEnd ExecutionHookContext worker",
      "ExecutionStart ExecutionHookContext worker",
      "BeforeStep StepHookContext worker",
      "AfterStep StepHookContext worker",
      "AgentFailed FailureHookContext worker",
      "ExecutionEnd ExecutionHookContext worker",
    ]);
  });
});

describe("what an outcome means", () => {
  test("proceed lets the tool run", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => HookOutcome.proceed())
      .build()
      .run("Go");
    expect(ran).toEqual(["ls"]);
  });

  test("proceed with a changed context runs the changed call", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const agent = builder.onBeforeToolUse((ctx) => {
      const call = ctx.toolCall();
      return HookOutcome.proceed(ctx.withToolCall(call.withArgs({ ...call.args(), command: "ls -la" })));
    });
    const run = await agent.build().run("Go");
    expect(ran).toEqual(["ls -la"]);
    expect(run.acts).toMatchObject([{ event: "before_tool", action: "go_on", changed: ["toolInput"] }]);
  });

  test("block prevents the one call, and the agent continues and gets the reason", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("rm x"), bash("ls"), "done"]);
    const agent = builder.onBeforeToolUse((ctx) =>
      ctx.toolCall().args().command === "rm x" ? HookOutcome.block("Dangerous command detected") : undefined,
    );
    expect(ending(await agent.build().run("Go"))).toEqual(["completed", "no_tool_calls", undefined]);
    expect(ran).toEqual(["ls"]);
    expect(outputs()[0]).toEqual({ type: "execution-denied", reason: "Dangerous command detected" });
  });

  test("stop ends the whole run at once, also from a tool call among others", async () => {
    const { builder, model, ran } = scriptedBuilder([bash("ls", "pwd"), "done"]);
    const agent = builder.onBeforeToolUse(() => HookOutcome.stop("Budget exceeded"));
    const run = await agent.build().run("Go");
    expect(ending(run)).toEqual(["stopped", "stopped_by_hook", "Budget exceeded"]);
    expect([ran, model.calls]).toEqual([[], 1]);
  });

  test.each([
    [
      "onExecutionStart",
      (builder: AgentBuilder) => builder.onExecutionStart(() => HookOutcome.stop("enough")),
    ],
    ["onBeforeStep", (builder: AgentBuilder) => builder.onBeforeStep(() => HookOutcome.stop("enough"))],
    ["onAfterStep", (builder: AgentBuilder) => builder.onAfterStep(() => HookOutcome.stop("enough"))],
    ["onAfterToolUse", (builder: AgentBuilder) => builder.onAfterToolUse(() => HookOutcome.stop("enough"))],
    ["onStop", (builder: AgentBuilder) => builder.onStop(() => HookOutcome.stop("enough"))],
  ])("stop from %s ends the run", async (_method, hooked) => {
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    expect(ending(await hooked(builder).build().run("Go"))).toEqual(["stopped", "stopped_by_hook", "enough"]);
  });

  test("block from onExecutionStart refuses the turn, and the model is not asked", async () => {
    const { builder, model } = scriptedBuilder(["done"]);
    const run = await builder
      .onExecutionStart(() => HookOutcome.block("not today"))
      .build()
      .run("Go");
    expect([...ending(run), model.calls]).toEqual(["stopped", "refused", "not today", 0]);
  });

  test("block from onStop makes the agent continue, with the reason as its feedback", async () => {
    const { builder, model } = scriptedBuilder(["done", "really done"]);
    let held = 0;
    const agent = builder.onStop(() => (held++ === 0 ? HookOutcome.block("Work remaining") : undefined));
    expect((await agent.build().run("Go")).text).toBe("really done");
    expect(userTexts(model)).toEqual(["Go", "Work remaining"]);
  });

  test("block from onBeforeStep skips the step, which counts", async () => {
    const { builder, model } = scriptedBuilder(["done"]);
    const agent = builder.onBeforeStep((state) =>
      state.stepCount() === 0 ? HookOutcome.block("not yet") : state,
    );
    const run = await agent.build().run("Go");
    expect([run.text, run.stepCount, model.calls]).toEqual(["done", 2, 1]);
  });

  test("block from onAfterToolUse withholds the result", async () => {
    const { builder, outputs } = scriptedBuilder([calls("read_file"), "done"]);
    await builder
      .onAfterToolUse(() => HookOutcome.block("it has secrets"))
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "error-text", value: "The result was withheld: it has secrets" }]);
  });

  test("block where it is too late is recorded, and changes nothing", async () => {
    const { builder } = scriptedBuilder(["done"]);
    const run = await builder
      .onAfterStep(() => HookOutcome.block("late"))
      .onExecutionEnd(() => HookOutcome.block("later"))
      .build()
      .run("Go");
    expect(ending(run)).toEqual(["completed", "no_tool_calls", undefined]);
    expect(run.acts).toMatchObject([
      { event: "after_step", action: "record", reason: "late" },
      { event: "after_agent", action: "record", reason: "later" },
    ]);
  });
});
