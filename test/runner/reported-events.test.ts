import type { AgentEvent } from "@tenterhook/agent";
import { expect, test } from "vitest";
import { agentEvent as read } from "../../packages/cli/src/fleet/agent-event.ts";
import { agentEvent as report } from "../../packages/runner/src/events/agent-events.ts";

/** An event as a client gets it: reported by a runner, stored and streamed by the coordinator. */
function streamed(event: AgentEvent): AgentEvent | undefined {
  const reported = report(event, { withholdText: false });
  if (reported === undefined) return undefined;
  const about = { id: "1-1", session_id: "s", run_id: "r", number: 1, timestamp: "2026-01-01T00:00:00.000Z" };
  return read({ ...about, event_type: reported.type, ...reported.data });
}

const inside = (event: AgentEvent, toolUseId = "t1"): AgentEvent => ({
  type: "subagent",
  subagent: "scout",
  toolUseId,
  event,
});

const events: readonly AgentEvent[] = [
  { type: "step_start", step: 1 },
  { type: "text_delta", step: 1, text: "I look." },
  { type: "tool_start", step: 1, toolUseId: "t2", toolName: "Glob", toolInput: { path_part: "a" } },
  { type: "retry", step: 1, attempt: 2, delayMs: 300, error: "busy" },
];

test.each(events)("an event of an agent reaches the client unchanged: $type", (event) => {
  expect(streamed(event)).toMatchObject(event);
});

test.each(events)("an event of a subagent, at any depth, reaches the client unchanged: $type", (event) => {
  expect(streamed(inside(event))).toMatchObject(inside(event));
  expect(streamed(inside(inside(event, "t3")))).toMatchObject(inside(inside(event, "t3")));
});
