import {
  AgentBuilder,
  CallableHook,
  type ExecutionHookContext,
  type FailureHookContext,
  HookEvent,
  HookOutcome,
  type StepHookContext,
  type StopHookContext,
  type ToolHookContext,
  ToolResult,
} from "@tenterhook/agent/builder";
import { scriptedModel } from "@tenterhook/agent/testing";
import { describe, expect, test } from "vitest";
import { bash, calls, scriptedBuilder, userTexts } from "./scripted-builder.ts";

describe("ToolHookContext", () => {
  test("before a tool it has the call and the state, and no execution", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const beforeTool = (ctx: ToolHookContext) => {
      const call = ctx.toolCall();
      seen.push([call.name(), call.args(), call.id(), ctx.state().agentId, ctx.state().stepCount()]);
      seen.push([ctx.isBeforeTool(), ctx.isAfterTool(), ctx.eventType(), ctx.event(), ctx.execution()]);
      return HookOutcome.proceed(ctx.withToolCall(call.withArgs({ command: "pwd" })));
    };
    await builder.onBeforeToolUse(beforeTool).build().run("Go");
    expect(seen).toEqual([
      ["bash", { command: "ls" }, "call-1", "worker", 0],
      [true, false, HookEvent.PreToolUse, HookEvent.PreToolUse, undefined],
    ]);
  });

  test("after a tool that succeeded it has its result", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const afterTool = (ctx: ToolHookContext) => {
      const execution = ctx.execution();
      const result = execution?.result();
      seen.push([ctx.isBeforeTool(), ctx.isAfterTool(), ctx.eventType(), ctx.toolCall().name()]);
      seen.push([result?.isSuccess(), result?.unwrap(), result?.error(), execution?.status()]);
      return HookOutcome.proceed();
    };
    await builder.onAfterToolUse(afterTool).build().run("Go");
    expect(seen).toEqual([
      [false, true, HookEvent.PostToolUse, "bash"],
      [true, "ran ls", undefined, "completed"],
    ]);
  });

  test("after a tool that failed it has its error, and so it has after one that was blocked", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([calls("flaky"), bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => HookOutcome.block("no shell"), { matcher: "bash" })
      .onAfterToolUse((ctx) => {
        const result = ctx.execution()?.result();
        seen.push([ctx.execution()?.status(), result?.isFailure(), result?.error()?.message]);
      })
      .build()
      .run("Go");
    expect(seen).toEqual([
      ["failed", true, "the network is down"],
      ["blocked", true, "no shell"],
    ]);
  });

  test("proceeding with another execution changes what the model reads", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onAfterToolUse((ctx) => {
        const execution = ctx.execution();
        const result = ToolResult.success("nothing to see");
        return HookOutcome.proceed(execution && ctx.withExecution(execution.withResult(result)));
      })
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "text", value: "nothing to see" }]);
  });

  test("changing the arguments of a call that is over is an error of the hook, named", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const late = (ctx: ToolHookContext) =>
      HookOutcome.proceed(ctx.withToolCall(ctx.toolCall().withArgs({ command: "pwd" })));
    await builder.onAfterToolUse(late).build().run("Go");
    expect(JSON.stringify(outputs())).toMatch(/late.*on after_tool.*toolInput.*does not let change/);
  });
});

describe("StepHookContext", () => {
  test("counts steps from 0 and for people from 1, and has the step when it is over", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([{ ...calls("flaky"), text: "Let me see" }, "done"]);
    const onStep = (ctx: StepHookContext) => {
      const step = ctx.step();
      const names = step && [...step.toolCalls()].map((call) => call.name());
      seen.push([ctx.eventType(), ctx.stepIndex(), ctx.stepNumber(), step?.hasErrors(), step?.text(), names]);
      return HookOutcome.proceed();
    };
    const both = [HookEvent.BeforeStep, HookEvent.AfterStep] as const;
    await builder.addHook(both, new CallableHook(onStep)).build().run("Go");
    expect(seen).toEqual([
      ["BeforeStep", 0, 1, undefined, undefined, undefined],
      ["AfterStep", 0, 1, true, "Let me see", ["flaky"]],
      ["BeforeStep", 1, 2, undefined, undefined, undefined],
      ["AfterStep", 1, 2, false, "done", []],
    ]);
  });

  test("proceeding with another state changes the conversation", async () => {
    const { builder, model } = scriptedBuilder(["done"]);
    const hook = new CallableHook((ctx: StepHookContext) => {
      const messages = [...ctx.state().messages(), { role: "user" as const, content: "be brief" }];
      return HookOutcome.proceed(ctx.withState(ctx.state().withMessages(messages)));
    });
    await builder.addHook(HookEvent.BeforeStep, hook).build().run("Go");
    expect(userTexts(model)).toEqual(["Go", "be brief"]);
  });
});

describe("StopHookContext", () => {
  test("has the reason why the agent is about to stop, and a block forces it to continue", async () => {
    const reasons: unknown[] = [];
    const { builder, model } = scriptedBuilder(["half", "whole"]);
    const unfinished = ["the second half"];
    const onStop = (ctx: StopHookContext) => {
      reasons.push(ctx.continuationOutcome().stopReason());
      return unfinished.pop() === undefined ? HookOutcome.proceed() : HookOutcome.block("Work remaining");
    };
    expect((await builder.onStop(onStop).build().run("Go")).text).toBe("whole");
    expect([reasons, userTexts(model)]).toEqual([
      ["no_tool_calls", "no_tool_calls"],
      ["Go", "Work remaining"],
    ]);
  });

  test("at a limit has that reason, and a block cannot override it", async () => {
    const reasons: unknown[] = [];
    const { builder, model } = scriptedBuilder([bash("ls"), "unreached"]);
    const onStop = (ctx: StopHookContext) => {
      reasons.push(ctx.continuationOutcome().stopReason());
      return HookOutcome.block("Work remaining");
    };
    const agent = builder.withMaxSteps(1).onStop(onStop).build();
    expect(await agent.run("Go")).toMatchObject({
      status: "stopped",
      stopReason: "max_steps",
      gateUnsatisfied: { code: "gate_unsatisfied" },
    });
    expect([reasons, model.calls]).toEqual([["max_steps"], 1]);
  });

  test("of a subagent has the subagent's state, and a block makes the subagent continue", async () => {
    const seen: unknown[] = [];
    const helperModel = scriptedModel(["half", "whole"]);
    const helper = AgentBuilder.new().withName("helper").withModel(helperModel).build();
    const { builder, outputs } = scriptedBuilder([
      { toolCalls: [{ name: "helper", input: { task: "help" } }] },
      "done",
    ]);
    await builder
      .withSubagents(helper)
      .onSubagentStop((ctx) => {
        const { agentId, parentAgentId } = ctx.state();
        seen.push([ctx.eventType(), agentId, parentAgentId, ctx.continuationOutcome().stopReason()]);
        return seen.length === 1 ? HookOutcome.block("the second half too") : HookOutcome.proceed();
      })
      .build()
      .run("Go");
    expect(seen[0]).toEqual(["SubagentStop", "helper", "worker", "no_tool_calls"]);
    expect([userTexts(helperModel), outputs()]).toEqual([
      ["help", "the second half too"],
      [{ type: "text", value: "whole" }],
    ]);
  });
});

describe("ExecutionHookContext", () => {
  test("is distinguished by isStart, and the engine's context has the rest", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder(["done"]);
    const onExecution = (ctx: ExecutionHookContext) => {
      const engineContext = ctx.engineContext();
      const rest = engineContext?.event === "after_agent" ? engineContext.status : engineContext?.message;
      seen.push([ctx.isStart(), ctx.eventType(), ctx.state().agentId, rest]);
      return HookOutcome.proceed();
    };
    await builder.onExecutionStart(onExecution).onExecutionEnd(onExecution).build().run("Go");
    expect(seen).toEqual([
      [true, "ExecutionStart", "worker", "Go"],
      [false, "ExecutionEnd", "worker", "completed"],
    ]);
  });

  test("of the end fires for every end of a run", async () => {
    const ends: unknown[] = [];
    const ended = (ctx: ExecutionHookContext) => {
      const engineContext = ctx.engineContext();
      ends.push(engineContext?.event === "after_agent" && engineContext.status);
    };
    const stopped = scriptedBuilder(["done"]).builder.onBeforeStep(() => HookOutcome.stop("enough"));
    await stopped.onExecutionEnd(ended).build().run("Go");
    const failed = scriptedBuilder([{ error: new Error("gone") }])
      .builder.onExecutionEnd(ended)
      .build();
    await expect(failed.run("Go")).rejects.toThrow("gone");
    expect(ends).toEqual(["stopped", "failed"]);
  });
});

describe("FailureHookContext", () => {
  test("has the error itself, its message and its class", async () => {
    class OutOfCredit extends Error {}
    const error = new OutOfCredit("no money left");
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([{ error }]);
    const onFailure = (ctx: FailureHookContext) => {
      seen.push(ctx.exception() === error, ctx.errorMessage(), ctx.errorClass(), ctx.eventType());
      return HookOutcome.proceed();
    };
    await expect(builder.onAgentFailed(onFailure).build().run("Go")).rejects.toBe(error);
    expect(seen).toEqual([true, "no money left", "OutOfCredit", "AgentFailed"]);
  });
});
