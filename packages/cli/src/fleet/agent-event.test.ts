import { expect, test } from "vitest";
import { agentEvent } from "./agent-event.ts";

const common = { id: "1-1", session_id: "s", run_id: "r", number: 1, timestamp: "2026-01-01T00:00:00.000Z" };

test("what a runner reports of an agent is what the agent told, also of its subagents", () => {
  const start = {
    event_type: "tool_start",
    step: 1,
    tool_use_id: "t",
    tool_name: "Glob",
    tool_input: { a_b: 1 },
  };
  const told = { type: "tool_start", step: 1, toolUseId: "t", toolName: "Glob", toolInput: { a_b: 1 } };
  expect(agentEvent({ ...common, ...start })).toMatchObject(told);
  expect(
    agentEvent({ ...common, event_type: "subagent", subagent: "scout", tool_use_id: "u", event: start }),
  ).toMatchObject({ type: "subagent", subagent: "scout", toolUseId: "u", event: told });
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

test("what the coordinator tells itself is no agent's doing", () => {
  for (const event_type of ["run_started", "hook_start", "log", "agent_usage"]) {
    expect(agentEvent({ ...common, event_type })).toBeUndefined();
  }
  expect(
    agentEvent({ ...common, event_type: "subagent", event: { event_type: "agent_usage" } }),
  ).toBeUndefined();
});
