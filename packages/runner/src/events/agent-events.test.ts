import type { AgentEvent } from "@tenterhook/agent";
import { eventsReport } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { agentEvent } from "./agent-events.ts";

const tool = { step: 1, toolUseId: "c1", toolName: "Shell" } as const;
const act = { event: "before_tool", hook: "guard", action: "refuse", reason: "no", toolUseId: "c1" } as const;

const EVENTS: readonly [AgentEvent, object | undefined][] = [
  [
    { type: "step_start", step: 2 },
    { type: "step_start", data: { step: 2 } },
  ],
  [
    { type: "text_delta", step: 1, text: "Hi" },
    { type: "text", data: { step: 1, text: "Hi" } },
  ],
  [
    { type: "tool_start", ...tool, toolInput: { command: "ls" } },
    {
      type: "tool_start",
      data: { step: 1, tool_use_id: "c1", tool_name: "Shell", tool_input: { command: "ls" } },
    },
  ],
  [
    { type: "tool_end", ...tool, status: "completed", result: { exit_code: 0 }, durationMs: 12.4 },
    {
      type: "tool_end",
      data: {
        step: 1,
        tool_use_id: "c1",
        tool_name: "Shell",
        status: "completed",
        duration_ms: 12,
        result: { exit_code: 0 },
      },
    },
  ],
  [
    {
      type: "tool_end",
      ...tool,
      status: "blocked",
      reason: "no",
      toolInput: { command: "rm" },
      durationMs: 1,
    },
    {
      type: "tool_end",
      data: {
        step: 1,
        tool_use_id: "c1",
        tool_name: "Shell",
        tool_input: { command: "rm" },
        status: "blocked",
        duration_ms: 1,
        reason: "no",
      },
    },
  ],
  [
    { type: "hook_acted", act },
    {
      type: "hook_acted",
      data: {
        event: "before_tool",
        hook: "guard",
        action: "refuse",
        reason: "no",
        tool_use_id: "c1",
        tallied: true,
      },
    },
  ],
  [
    {
      type: "hook_acted",
      act: { event: "before_tool", hook: "trial", action: "go_on", reason: "no", notEnforced: "would_block" },
    },
    {
      type: "hook_acted",
      data: {
        event: "before_tool",
        hook: "trial",
        action: "go_on",
        reason: "no",
        tallied: true,
        not_enforced: "would_block",
      },
    },
  ],
  [
    { type: "subagent", subagent: "helper", toolUseId: "c2", event: { type: "step_start", step: 1 } },
    {
      type: "subagent",
      data: { subagent: "helper", tool_use_id: "c2", event: { event_type: "step_start", step: 1 } },
    },
  ],
  [{ type: "answer", step: 1, text: "Hi", toolUses: [] }, undefined],
];

test.each(EVENTS)("%o is reported in snake_case", (event, reported) => {
  expect(agentEvent(event, { withholdText: false })).toEqual(reported);
});

test("what is reported is what the coordinator accepts", () => {
  const events = EVENTS.flatMap(([event]) => agentEvent(event, { withholdText: false }) ?? []);
  const wired = events.map(({ type, data }) => ({ event_type: type, data, ms_ago: 0 }));
  const lease_token = "7c1f6f9e-1a53-4a7a-9d0f-0a2f4c3b1a11";
  expect(eventsReport.parse({ lease_token, first: 1, events: wired }).events).toEqual(wired);
});

test("the text of an answer that a hook is to judge is not reported, neither the agent's nor a subagent's", () => {
  const reported = (event: AgentEvent) => agentEvent(event, { withholdText: true });
  const text: AgentEvent = { type: "text_delta", step: 1, text: "secret" };
  expect(reported(text)).toBeUndefined();
  expect(reported({ ...text, type: "reasoning_delta" })).toBeUndefined();
  expect(reported({ type: "subagent", subagent: "helper", toolUseId: "c", event: text })).toBeUndefined();
  expect(reported({ type: "step_start", step: 1 })).toBeDefined();
});

test("a large result and a large input are cut", () => {
  const large = { content: "x".repeat(100_000) };
  const start = agentEvent({ type: "tool_start", ...tool, toolInput: large }, { withholdText: false });
  const end = agentEvent(
    { type: "tool_end", ...tool, status: "completed", result: large, durationMs: 1 },
    { withholdText: false },
  );
  expect(JSON.stringify([start, end]).length).toBeLessThan(20_000);
});
