import {
  AgentExecution,
  AgentState,
  ExecutionHookContext,
  HookOutcome,
  ToolCall,
  type ToolHookContext,
  ToolResult,
} from "@tenterhook/agent/builder";
import { ask, type Context, proceed, recover, skip } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { bash, calls, scriptedBuilder, userTexts } from "./scripted-builder.ts";

describe("onBeforeToolUse", () => {
  test("a tool call that is returned is the one that runs", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse((ctx) => ctx.toolCall().withArgs({ command: "ls -la" }))
      .build()
      .run("Go");
    expect(ran).toEqual(["ls -la"]);
  });

  test("null blocks the call", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => null)
      .build()
      .run("Go");
    expect([ran, outputs()]).toEqual([
      [],
      [{ type: "execution-denied", reason: "a hook blocked the call and gave no reason" }],
    ]);
  });

  test("nothing proceeds, at once or after a while", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => {})
      .onBeforeToolUse(async () => {})
      .build()
      .run("Go");
    expect(ran).toEqual(["ls"]);
  });

  test("an invalid answer blocks the call, with the reason", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const broken = () => 42 as never;
    await builder.onBeforeToolUse(broken).build().run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toMatch(/broken.*returned number 42, which is not an outcome/);
  });

  test("a call of another tool is an error of the hook: names cannot be changed", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => new ToolCall("flaky"))
      .build()
      .run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toContain("it changed the tool's name");
  });

  test("arguments that the tool's schema refuses are an error of the hook", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const run = await builder
      .onBeforeToolUse((ctx) => ctx.toolCall().withArgs({ command: 7 }))
      .build()
      .run("Go");
    expect([ran, run.acts[0]?.failed]).toEqual([[], true]);
  });

  test("the engine's own outcomes are understood: skip with a result, ask a person", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls", "pwd"), "done"]);
    const asked: string[] = [];
    await builder
      .with({
        approve: ({ reason }) => {
          asked.push(reason);
          return { type: "reject", reason: "no" };
        },
      })
      .onBeforeToolUse((ctx) => (ctx.toolCall().args().command === "ls" ? skip("cached") : ask("pwd?")))
      .build()
      .run("Go");
    expect([ran, asked, outputs()]).toEqual([
      [],
      ["pwd?"],
      [
        { type: "text", value: "cached" },
        { type: "execution-denied", reason: "no" },
      ],
    ]);
  });

  test("a guard with rejudge: true is called again with what a later hook changed", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(
        (ctx) =>
          ctx.toolCall().args().command === "rm -rf /" ? HookOutcome.block("destructive") : undefined,
        { priority: 100, rejudge: true },
      )
      .onBeforeToolUse((ctx) => ctx.toolCall().withArgs({ command: "rm -rf /" }))
      .build()
      .run("Go");
    expect(ran).toEqual([]);
  });

  test("in the second judgement it only judges: its metadata is not written", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const bag: Record<string, unknown> = {};
    let asked = 0;
    const counting = (ctx: ToolHookContext) => {
      asked++;
      return HookOutcome.proceed(ctx.withMetadata("counted", ctx.get("counted", 0) + 1));
    };
    await builder
      .onBeforeToolUse(counting, { priority: 100, rejudge: true })
      .onBeforeToolUse((ctx) => ctx.toolCall().withArgs({ command: "ls -la" }))
      .build()
      .run("Go", { metadata: bag });
    expect([ran, asked, bag.counted]).toEqual([["ls -la"], 2, 1]);
  });

  test("proceeding with a context of another event is an error of the hook", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse((ctx) => HookOutcome.proceed(ExecutionHookContext.onStart(ctx.state())))
      .build()
      .run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toContain("it proceeded with a context of ExecutionStart");
  });
});

describe("onAfterToolUse", () => {
  const replaced = (result: ToolResult) => (ctx: ToolHookContext) =>
    new AgentExecution(ctx.toolCall(), result);

  test("an execution that is returned takes the place of the result", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const twice = (ctx: ToolHookContext) => {
      const execution = ctx.execution();
      return execution?.withResult(ToolResult.success({ twice: execution.result().value() }));
    };
    await builder.onAfterToolUse(twice).build().run("Go");
    expect(outputs()).toEqual([{ type: "json", value: { twice: "ran ls" } }]);
  });

  test("a success in a failure's place recovers from it", async () => {
    const { builder, outputs } = scriptedBuilder([calls("flaky"), "done"]);
    const steps: boolean[] = [];
    await builder
      .onAfterToolUse(replaced(ToolResult.success("from the cache")))
      .onAfterStep((state) => void steps.push(state.currentStep()?.hasErrors() ?? true))
      .build()
      .run("Go");
    expect([outputs()[0], steps[0]]).toEqual([{ type: "text", value: "from the cache" }, false]);
  });

  test("a failure in a success's place withholds the result, and the model reads the error", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onAfterToolUse(replaced(ToolResult.failure(new Error("not fit to be read"))))
      .build()
      .run("Go");
    const value = "The result was withheld: not fit to be read";
    expect(outputs()).toEqual([{ type: "error-text", value }]);
  });

  test("another failure in a failure's place is what the model reads", async () => {
    const { builder, outputs } = scriptedBuilder([calls("flaky"), "done"]);
    await builder
      .onAfterToolUse(replaced(ToolResult.failure("try again tomorrow")))
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "error-text", value: "try again tomorrow" }]);
  });

  test("a result of nothing is a result", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onAfterToolUse(replaced(ToolResult.success(undefined)))
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "json", value: null }]);
  });

  test("a call that was blocked cannot be recovered", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    await builder
      .onBeforeToolUse(() => HookOutcome.block("no shell"))
      .onAfterToolUse(replaced(ToolResult.success("as if it had run")))
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "execution-denied", reason: "no shell" }]);
  });

  test("the engine's recover is understood", async () => {
    const { builder, outputs } = scriptedBuilder([calls("flaky"), "done"]);
    await builder
      .onAfterToolUse(() => recover("instead"))
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "text", value: "instead" }]);
  });
});

describe("a failure that another hook put in a result's place", () => {
  const failing = { afterTool: [() => ({ result: { success: false, error: "no match" } })] };
  const seeing = async (callback?: (ctx: ToolHookContext) => AgentExecution | undefined) => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const seen: unknown[] = [];
    builder.with({ hooks: failing }).onAfterToolUse((ctx) => {
      const result = ctx.execution()?.result();
      seen.push([result?.isFailure(), result?.error()?.message, ctx.execution()?.status()]);
      return callback?.(ctx);
    });
    await builder.build().run("Go");
    return { seen, outputs: outputs() };
  };

  test("is one for onAfterToolUse, which may replace it by a success or by another failure", async () => {
    const failure = [[true, "no match", "failed"]];
    expect(await seeing()).toEqual({ seen: failure, outputs: [{ type: "error-text", value: "no match" }] });
    expect(await seeing((ctx) => ctx.execution()?.withResult(ToolResult.success("found")))).toEqual({
      seen: failure,
      outputs: [{ type: "text", value: "found" }],
    });
    expect(await seeing((ctx) => ctx.execution()?.withResult(ToolResult.failure("none at all")))).toEqual({
      seen: failure,
      outputs: [{ type: "error-text", value: "none at all" }],
    });
  });
});

describe("step hooks", () => {
  test("get the state, and the run continues with the state that they return", async () => {
    const { builder, model } = scriptedBuilder([bash("ls"), "done"]);
    const note = (text: string) => (state: AgentState) =>
      state.withMessages([...state.messages(), { role: "user", content: `${text} ${state.stepCount()}` }]);
    await builder.onBeforeStep(note("before")).onAfterStep(note("after")).build().run("Go");
    expect(userTexts(model)).toEqual(["Go", "before 0", "after 1", "before 1"]);
  });

  test("metadata of the returned state is in the run's metadata from then on, and other keys stay", async () => {
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const bag: Record<string, unknown> = { theirs: "kept" };
    const seen: unknown[] = [];
    await builder
      .onBeforeStep((state) => state.withMetadata("steps", state.metadata().get("steps", 0) + 1))
      .onBeforeToolUse((ctx) => void seen.push(ctx.get("steps"), ctx.get("theirs")))
      .build()
      .run("Go", { metadata: bag });
    expect([seen, bag]).toEqual([[1, "kept"], { theirs: "kept", steps: 2 }]);
  });

  test("metadata is kept also where another hook has put a state of its own in place", async () => {
    const { builder } = scriptedBuilder(["done"]);
    const bag: Record<string, unknown> = {};
    const agent = builder
      .onBeforeStep((state) => state.withMetadata("mine", state.metadata().get("theirs", 0) + 1))
      .build();
    const replaceState = ({ state }: Context<"before_step">) =>
      state === undefined
        ? undefined
        : proceed({ state: { ...state, metadata: { ...state.metadata, theirs: 2 } } });
    agent.hooks.on("before_step", replaceState, { priority: 100 });
    await agent.run("Go", { metadata: bag });
    expect(bag).toEqual({ theirs: 2, mine: 3 });
  });

  test("a state that is made anew adds its metadata, and leaves the conversation alone", async () => {
    const { builder, model } = scriptedBuilder(["done"]);
    const bag: Record<string, unknown> = { theirs: "kept" };
    await builder
      .onBeforeStep(({ agentId }) => new AgentState({ agentId, metadata: { mine: true } }))
      .build()
      .run("Go", { metadata: bag });
    expect([bag, userTexts(model)]).toEqual([{ theirs: "kept", mine: true }, ["Go"]]);
  });

  test("nothing returned leaves everything as it is", async () => {
    const { builder } = scriptedBuilder(["done"]);
    const run = await builder
      .onBeforeStep(() => {})
      .onAfterStep(async () => {})
      .build()
      .run("Go");
    expect([run.text, run.acts]).toEqual(["done", []]);
  });
});

describe("null", () => {
  test("is no answer anywhere but before a tool", async () => {
    const { builder } = scriptedBuilder(["done"]);
    const nullish = () => null as never;
    await expect(builder.onExecutionStart(nullish).build().run("Go")).rejects.toThrow(
      /nullish.*returned null, which is not an outcome/,
    );
  });
});
