import { nearestWord } from "@tenterhook/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALIASES, EVENT_NAMES, eventRow, isEventName, resolveEvent } from "./events.ts";

describe("a name", () => {
  test.each(EVENT_NAMES)("%s is the event itself", (event) => {
    expect(resolveEvent(event)).toEqual([event]);
  });

  test.each([
    ["ExecutionStart", ["before_agent"]],
    ["ExecutionEnd", ["after_agent"]],
    ["BeforeStep", ["before_step"]],
    ["AfterStep", ["after_step"]],
    ["PreToolUse", ["before_tool"]],
    ["PostToolUse", ["after_tool", "after_tool_failure"]],
    ["Stop", ["before_stop"]],
    ["SubagentStop", ["subagent_stop"]],
    ["AgentFailed", ["agent_failed"]],
    ["beforeIteration", ["before_step"]],
    ["afterIteration", ["after_step"]],
    ["beforeLLM", ["before_llm"]],
    ["before:llm", ["before_llm"]],
    ["afterLLM", ["after_llm"]],
    ["beforeTool", ["before_tool"]],
    ["afterTool", ["after_tool", "after_tool_failure"]],
    ["onError", ["on_error"]],
    ["pre-session", ["session_start"]],
    ["post-session", ["session_end"]],
    ["pre-agent-turn", ["before_agent"]],
    ["post-agent-turn", ["after_agent"]],
    ["pre-agent-turn-stop", ["before_stop"]],
    ["post-agent-turn-stop", ["after_agent"]],
    ["pre-tool-call", ["before_tool"]],
    ["post-tool-call", ["after_tool"]],
    ["post-tool-call-failure", ["after_tool_failure"]],
    ["pre-subagent", ["subagent_start"]],
    ["post-subagent", ["subagent_stop"]],
    ["pre-context-compact", ["pre_compact"]],
  ])("%s stands for %j", (alias, events) => {
    expect(resolveEvent(alias)).toEqual(events);
  });

  test.each([
    "",
    "toString",
    "__proto__",
    "constructor",
    "pretooluse",
    "before_tol",
    " before_tool",
    "Before_Tool",
  ])("%j stands for no event", (name) => {
    expect(resolveEvent(name)).toBeUndefined();
  });
});

describe("the aliases", () => {
  test.each(Object.entries(ALIASES))(
    "%s stands for known events of an agent, and is not one itself",
    (alias, { events }) => {
      expect(isEventName(alias)).toBe(false);
      expect(events.length).toBeGreaterThan(0);
      for (const event of events) expect(eventRow(event).layer).toBe("agent");
    },
  );
});

describe("the nearest event", () => {
  test.each([
    ["before_tol", "before_tool"],
    ["before_toool", "before_tool"],
    ["befroe_tool", "before_tool"],
    ["BeforeTool", "before_tool"],
    ["before-tool", "before_tool"],
    ["before tool", "before_tool"],
    ["beforeStop", "before_stop"],
    ["after_tool_fail", "after_tool_failure"],
    ["after_tool_failur", "after_tool_failure"],
    ["session_started", "session_start"],
    ["precompact", "pre_compact"],
    ["on_run_finished", "on_run_finish"],
    ["agent_fail", "agent_failed"],
    ["completely_different", undefined],
    ["", undefined],
    ["工具", undefined],
  ])("to %j is %s", (name, event) => {
    expect(nearestWord(name, EVENT_NAMES)).toBe(event);
  });

  test("to a name with one letter wrong, missing or too many is the one that was meant", () => {
    const slip = fc.constantFrom("wrong", "missing", "extra");
    fc.assert(
      fc.property(fc.constantFrom(...EVENT_NAMES), slip, fc.nat(), (event, kind, position) => {
        const at = position % event.length;
        const [before, after] = [event.slice(0, at), event.slice(at + 1)];
        const slips = {
          wrong: `${before}q${after}`,
          missing: `${before}${after}`,
          extra: `${before}q${event[at]}${after}`,
        };
        // Without the one letter that they differ by, these two are the same.
        const meant = event.startsWith("before_st") ? ["before_step", "before_stop"] : [event];
        expect(meant).toContain(nearestWord(slips[kind], EVENT_NAMES));
      }),
    );
  });

  test("is none for a megabyte of random text, in time that does not grow with it", () => {
    expect(nearestWord("before_tool".repeat(100_000), EVENT_NAMES)).toBeUndefined();
  });
});
