import {
  type BuilderHookOptions,
  CallableHook,
  CallableMatcher,
  CompositeMatcher,
  EventTypeMatcher,
  type HookContext,
  HookEvent,
  type HookMatcher,
  HookOutcome,
  type ToolHookContext,
  ToolNameMatcher,
} from "@tenterhook/agent/builder";
import { inputPattern } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { bash, calls, scriptedBuilder } from "./scripted-builder.ts";

const TOOLS = ["bash", "read_file", "read_stdin", "write_file", "bread_file"] as const;

/** Lets an agent call every tool, and returns the calls for which a hook with this matcher was called. */
async function asked(matcher: BuilderHookOptions["matcher"], metadata: Record<string, unknown> = {}) {
  const names: string[] = [];
  const [, ...others] = TOOLS;
  const { builder } = scriptedBuilder([
    { toolCalls: [...bash("ls").toolCalls, ...calls(...others).toolCalls] },
    "done",
  ]);
  const note = (ctx: ToolHookContext) => void names.push(ctx.toolCall().name());
  await builder.onBeforeToolUse(note, { matcher }).build().run("Go", { metadata });
  return names;
}

describe("ToolNameMatcher", () => {
  test.each([
    ["bash", ["bash"]],
    ["read_*", ["read_file", "read_stdin"]],
    ["*_file", ["read_file", "write_file", "bread_file"]],
    ["*", [...TOOLS]],
    ["/^(read|write)_.+$/", ["read_file", "read_stdin", "write_file"]],
  ])("%s matches %j", async (pattern, names) => {
    expect(await asked(new ToolNameMatcher(pattern))).toEqual(names);
    // A string in the options means the same.
    expect(await asked(pattern)).toEqual(names);
  });

  test("no matcher, or null, matches every tool", async () => {
    expect([await asked(undefined), await asked(null)]).toEqual([TOOLS, TOOLS]);
  });
});

describe("EventTypeMatcher", () => {
  const eventsOf = async (matcher: EventTypeMatcher) => {
    const events: string[] = [];
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const note = new CallableHook((ctx: HookContext) => void events.push(ctx.eventType()), matcher);
    await builder.addHook(Object.values(HookEvent), note).build().run("Go");
    return events;
  };

  test("of one event lets only that one through", async () => {
    expect(await eventsOf(new EventTypeMatcher(HookEvent.PreToolUse))).toEqual(["PreToolUse"]);
  });

  test("of several events lets those through", async () => {
    const steps = ["BeforeStep", "AfterStep", "BeforeStep", "AfterStep"];
    expect(await eventsOf(new EventTypeMatcher(HookEvent.BeforeStep, HookEvent.AfterStep))).toEqual(steps);
  });

  test("of PostToolUse matches calls that succeeded and calls that failed", async () => {
    const events: unknown[] = [];
    const { builder } = scriptedBuilder([bash("ls"), calls("flaky"), "done"]);
    const note = (ctx: HookContext) => void events.push(ctx.engineContext()?.event);
    const hook = new CallableHook(note, new EventTypeMatcher(HookEvent.PostToolUse));
    await builder.addHook([HookEvent.PreToolUse, HookEvent.PostToolUse], hook).build().run("Go");
    expect(events).toEqual(["after_tool", "after_tool_failure"]);
  });
});

describe("CompositeMatcher", () => {
  const early = new CallableMatcher((ctx) => ctx.state().stepCount() < 5);
  const safeMode = new CallableMatcher((ctx) => ctx.state().metadata().get("safe_mode", false));

  test("and: all must match", async () => {
    const late = new CallableMatcher((ctx) => ctx.state().stepCount() >= 5);
    expect(await asked(CompositeMatcher.and(new ToolNameMatcher("bash"), early))).toEqual(["bash"]);
    expect(await asked(CompositeMatcher.and(new ToolNameMatcher("bash"), late))).toEqual([]);
  });

  test("or: any may match", async () => {
    const files = CompositeMatcher.or(new ToolNameMatcher("read_*"), new ToolNameMatcher("write_*"));
    expect(await asked(files)).toEqual(["read_file", "read_stdin", "write_file"]);
  });

  test("nests, and has a readable description", async () => {
    const shells = CompositeMatcher.or(new ToolNameMatcher("bash"), new ToolNameMatcher("shell"));
    const nested = CompositeMatcher.and(shells, safeMode);
    expect(await asked(nested, { safe_mode: true })).toEqual(["bash"]);
    expect(await asked(nested)).toEqual([]);
    expect(nested.description).toBe("(tool bash or tool shell) and a predicate");
  });
});

describe("CallableMatcher", () => {
  test("is given the builder's context", async () => {
    const urgent = new CallableMatcher(
      (ctx: HookContext) => ctx.state().metadata().get("priority") === "high",
    );
    expect(await asked(urgent, { priority: "high" })).toEqual(TOOLS);
    expect(await asked(urgent, { priority: "low" })).toEqual([]);
  });

  test("may look at the call, and sees what hooks before it changed", async () => {
    const { builder, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const removes = new CallableMatcher((ctx: ToolHookContext) =>
      String(ctx.toolCall().args().command).startsWith("rm"),
    );
    await builder
      .onBeforeToolUse((ctx) => ctx.toolCall().withArgs({ command: "rm x" }), { priority: 1 })
      .onBeforeToolUse(() => HookOutcome.block("no removing"), { matcher: removes })
      .build()
      .run("Go");
    expect(outputs()).toEqual([{ type: "execution-denied", reason: "no removing" }]);
  });

  test("that throws counts as a failure of its hook: the call is blocked", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), "done"]);
    const broken = new CallableMatcher(() => {
      throw new Error("undecided");
    });
    await builder
      .onBeforeToolUse(() => {}, { matcher: broken })
      .build()
      .run("Go");
    expect(ran).toEqual([]);
    expect(JSON.stringify(outputs())).toContain("undecided");
  });

  test("works on events without a tool too", async () => {
    const seen: unknown[] = [];
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const second = new CallableMatcher((ctx) => ctx.state().stepCount() === 1);
    await builder
      .onBeforeStep((state) => void seen.push(state.stepCount()), { matcher: second })
      .build()
      .run("Go");
    expect(seen).toEqual([1]);
  });
});

describe("other matchers", () => {
  test("those of the engine work as they are, and functions are given the builder's context", async () => {
    expect(await asked(inputPattern("^ls$"))).toEqual(["bash"]);
    expect(await asked({ tool: "read_*" })).toEqual(["read_file", "read_stdin"]);
    expect(await asked((ctx) => ctx.state().agentId === "worker")).toEqual(TOOLS);
  });

  test("an object with matches(context) is one", async () => {
    class DuringNight implements HookMatcher {
      matches(context: HookContext) {
        return context.get("hour", 12) < 6;
      }
    }
    expect(await asked(new DuringNight(), { hour: 3 })).toEqual(TOOLS);
    expect(await asked(new DuringNight(), { hour: 9 })).toEqual([]);
  });
});
