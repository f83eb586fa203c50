import { expect, test } from "vitest";
import { agentEvent } from "./agent-event.ts";

const common = { id: "1-1", session_id: "s", run_id: "r", number: 1, timestamp: "2026-01-01T00:00:00.000Z" };

test("the command converts reported events to the agent's own events, also of subagents", () => {
  const start = {
    event_type: "tool_start",
    step: 1,
    tool_use_id: "t",
    tool_name: "Glob",
    tool_input: { a_b: 1 },
  };
  const expected = { type: "tool_start", step: 1, toolUseId: "t", toolName: "Glob", toolInput: { a_b: 1 } };
  expect(agentEvent({ ...common, ...start })).toMatchObject(expected);
  expect(
    agentEvent({ ...common, event_type: "subagent", subagent: "scout", tool_use_id: "u", event: start }),
  ).toMatchObject({ type: "subagent", subagent: "scout", toolUseId: "u", event: expected });
  expect(
    agentEvent({
      ...common,
      event_type: "hook_acted",
      event: "before_tool",
      hook: null,
      action: "refuse",
      tool_use_id: "t",
    }),
  ).toEqual({
    type: "hook_acted",
    act: expect.objectContaining({ event: "before_tool", hook: undefined, toolUseId: "t" }),
  });
});

test("events of the coordinator are not events of the agent", () => {
  for (const event_type of ["run_started", "hook_start", "log", "agent_usage"]) {
    expect(agentEvent({ ...common, event_type })).toBeUndefined();
  }
  expect(
    agentEvent({ ...common, event_type: "subagent", event: { event_type: "agent_usage" } }),
  ).toBeUndefined();
});
