import { describe, expect, test } from "vitest";
import { ExecutionHookContext, ToolHookContext } from "./contexts.ts";
import { AgentState, ToolCall } from "./data.ts";
import { HookEvent } from "./hook-event.ts";
import {
  CallableMatcher,
  CompositeMatcher,
  EventTypeMatcher,
  type HookMatcher,
  ToolNameMatcher,
} from "./matchers.ts";

const state = new AgentState({ agentId: "a", stepCount: 3, metadata: { safe_mode: true } });
const tool = (name: string) => ToolHookContext.beforeTool(new ToolCall(name), state);
const start = ExecutionHookContext.onStart(state);

describe("a matcher without an agent", () => {
  test.each([
    ["bash", "bash", true],
    ["bash", "bashful", false],
    ["read_*", "read_file", true],
    ["read_*", "bread_file", false],
    ["*_file", "write_file", true],
    ["*", "anything", true],
    ["/^(read|write)_.+$/", "write_file", true],
    ["/^(read|write)_.+$/", "rewrite_file", false],
  ])("the name %s and the tool %s: %s", (pattern, name, expected) => {
    expect(new ToolNameMatcher(pattern).matches(tool(name))).toBe(expected);
  });

  test("by name matches nothing where there is no tool", () => {
    expect(new ToolNameMatcher("*").matches(start)).toBe(false);
  });

  test("by event matches the events that it names", () => {
    const matcher = new EventTypeMatcher(HookEvent.PreToolUse, HookEvent.PostToolUse);
    expect([matcher.matches(tool("bash")), matcher.matches(start)]).toEqual([true, false]);
  });

  test("combines, also with a custom matcher", () => {
    const shells = CompositeMatcher.or(new ToolNameMatcher("bash"), new ToolNameMatcher("shell"));
    const early: HookMatcher = { matches: (context) => context.state().stepCount() < 5 };
    const safe = new CallableMatcher((context) => context.get("safe_mode", false));
    const matcher = CompositeMatcher.and(shells, early, safe);
    expect([matcher.matches(tool("shell")), matcher.matches(tool("ls"))]).toEqual([true, false]);
  });
});

describe("a matcher that is wrong", () => {
  test("is refused when it is made", () => {
    expect(() => new ToolNameMatcher("")).toThrow(/needs a name, a glob or a \/regex\//);
    expect(() => new ToolNameMatcher("/(?<=a)b/")).toThrow(/look-around/);
    expect(() => new EventTypeMatcher("before_lunch" as never)).toThrow(
      /no event "before_lunch".*PreToolUse/,
    );
    expect(() => CompositeMatcher.and(...([] as unknown as [HookMatcher]))).toThrow(/nothing to combine/);
  });
});
