import {
  AgentBuilder,
  type ExecutionHookContext,
  type FailureHookContext,
  HookOutcome,
  type StopHookContext,
  type ToolHookContext,
} from "@tenterhook/agent/builder";
import { scriptedModel } from "@tenterhook/agent/testing";
import { describe, expect, test } from "vitest";
import { bash, scriptedBuilder, userTexts } from "./scripted-builder.ts";

describe("security validation", () => {
  const dangerous = ["rm -rf", "sudo", "> /dev/", "mkfs"];

  test.each(dangerous)("blocks %s, and nothing else", async (pattern) => {
    const { builder, ran, outputs } = scriptedBuilder([bash(`echo x; ${pattern} y`, "echo x"), "done"]);
    builder.onBeforeToolUse({
      callback: (ctx: ToolHookContext) => {
        const command = String(ctx.toolCall().args().command ?? "");
        for (const found of dangerous) {
          if (command.includes(found)) return HookOutcome.block(`Dangerous command blocked: ${found}`);
        }
        return HookOutcome.proceed();
      },
      priority: 100,
      matcher: "bash",
    });
    await builder.build().run("Go");
    expect(ran).toEqual(["echo x"]);
    expect(outputs()[0]).toEqual({
      type: "execution-denied",
      reason: `Dangerous command blocked: ${pattern}`,
    });
  });
});

describe("execution timing", () => {
  test("what the start noted is there at the end, and runs do not mix", async () => {
    const durations: number[] = [];
    const clock = [100, 103, 200, 207];
    const now = () => clock.shift() ?? Number.NaN;
    const model = scriptedModel(["done"], { repeat: true });
    const agent = AgentBuilder.new()
      .withModel(model)
      .onExecutionStart((ctx: ExecutionHookContext) =>
        HookOutcome.proceed(ctx.withMetadata("started_at", now())),
      )
      .onExecutionEnd((ctx: ExecutionHookContext) => {
        durations.push(now() - ctx.get("started_at", 0));
      })
      .build();
    await agent.run("Go");
    await agent.run("Go again");
    expect(durations).toEqual([3, 7]);
  });
});

describe("conditional continuation", () => {
  const continued = async (metadata: Record<string, unknown>) => {
    const { builder, model } = scriptedBuilder(["a draft", "better", "best"]);
    builder.onStop((ctx: StopHookContext) => {
      const state = ctx.state();
      const tasks = state.metadata().get<readonly string[]>("pending_tasks", []);
      if (tasks.length > 0) return HookOutcome.block(`Tasks remaining: ${tasks.length}`);
      const quality = state.metadata().get("output_quality", 1.0);
      if (quality < 0.8) return HookOutcome.block("Quality below threshold");
      return HookOutcome.proceed();
    });
    // What the agent does about it, so that it may stop in the end.
    builder.onAfterStep((state) => {
      const [, ...rest] = state.metadata().get<readonly string[]>("pending_tasks", []);
      const quality = state.metadata().get("output_quality", 1.0);
      return state.withMetadata("pending_tasks", rest).withMetadata("output_quality", quality + 0.2);
    });
    const { text } = await builder.build().run("Go", { metadata });
    return [text, ...userTexts(model).slice(1)];
  };

  test("an agent with tasks left continues until there are none", async () => {
    expect(await continued({ pending_tasks: ["a", "b", "c"] })).toEqual([
      "best",
      "Tasks remaining: 2",
      "Tasks remaining: 1",
    ]);
  });

  test("an agent whose output is not good enough continues", async () => {
    expect(await continued({ output_quality: 0.5 })).toEqual(["better", "Quality below threshold"]);
  });

  test("an agent with nothing left to do may stop", async () => {
    expect(await continued({})).toEqual(["a draft"]);
  });

  test("an agent that never satisfies its gate ends as failed, not for ever", async () => {
    const { builder } = scriptedBuilder(["one", "two", "three", "four"]);
    builder.onStop(() => HookOutcome.block("never good enough"));
    await expect(builder.build().run("Go")).rejects.toMatchObject({
      code: "gate_unsatisfied",
      message: expect.stringMatching(/held 3 times already.*maxHolds/),
    });
  });

  test("an agent may be held as often as withMaxHolds says", async () => {
    const { builder } = scriptedBuilder(["one", "two", "three", "four", "five", "six"]);
    const isDone = (ctx: StopHookContext) =>
      ctx.state().stepCount() < 6 ? HookOutcome.block("more") : undefined;
    const run = await builder.withMaxHolds(5).onStop(isDone).build().run("Go");
    expect(run.text).toBe("six");
    expect(() => builder.withMaxHolds(-1).build()).toThrow(/maxHolds/);
  });
});

describe("error recovery logging", () => {
  class CriticalException extends Error {}

  const watched = (builder: AgentBuilder) => {
    const logged: Record<string, unknown>[] = [];
    const critical: unknown[] = [];
    builder.onAgentFailed((ctx: FailureHookContext) => {
      const state = ctx.state();
      const exception = ctx.exception();
      logged.push({
        agent_id: state.agentId,
        parent_id: state.parentAgentId,
        steps_completed: state.stepCount(),
        error_class: ctx.errorClass(),
        error_message: ctx.errorMessage(),
        has_stack_trace: exception.stack?.includes("builder-patterns.test.ts"),
        last_tool: state.currentStep()?.toolCalls().first()?.name(),
      });
      if (exception instanceof CriticalException) critical.push(exception);
    });
    return { logged, critical };
  };

  test("has the whole context, and distinguishes critical errors", async () => {
    const error = new CriticalException("disk full");
    const { builder } = scriptedBuilder([bash("df"), { error }]);
    const { logged, critical } = watched(builder);
    await expect(builder.build().run("Go")).rejects.toBe(error);
    expect(critical).toEqual([error]);
    expect(logged).toEqual([
      {
        agent_id: "worker",
        parent_id: null,
        steps_completed: 1,
        error_class: "CriticalException",
        error_message: "disk full",
        has_stack_trace: true,
        last_tool: "bash",
      },
    ]);
  });

  test("of a subagent names the agent that delegated to it, and an error before any tool has none", async () => {
    const failing = AgentBuilder.new()
      .withName("helper")
      .withModel(scriptedModel([{ error: new Error("no model") }]));
    const { logged, critical } = watched(failing);
    const { builder, outputs } = scriptedBuilder([
      { toolCalls: [{ name: "helper", input: { task: "help" } }] },
      "done",
    ]);
    await builder.withSubagents(failing.build()).build().run("Go");
    expect(logged).toMatchObject([
      { agent_id: "helper", parent_id: "worker", error_class: "Error", last_tool: undefined },
    ]);
    expect([critical, outputs()]).toEqual([[], [{ type: "error-text", value: "no model" }]]);
  });
});
