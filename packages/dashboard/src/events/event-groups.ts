import type { RunEventType } from "@tenterhook/protocol/runs";

/** The types of events that coordinators and runners tell, by what they are about. */
export const EVENT_GROUPS = {
  runs: {
    label: "Runs",
    types: [
      "run_created",
      "run_preparing",
      "run_ready",
      "run_claimed",
      "run_started",
      "run_stopping",
      "run_finishing",
      "run_retried",
      "run_released",
      "run_completed",
      "run_failed",
      "run_stopped",
      "session_deleted",
    ],
  },
  hooks: {
    label: "Hooks",
    types: ["hook_start", "hook_complete", "hook_blocked", "hook_failed", "hook_timeout", "hook_acted"],
  },
  approvals: { label: "Approvals", types: ["approval_requested", "approval_decided"] },
  tools: {
    label: "Steps and tools",
    types: [
      "step_start",
      "step_end",
      "tool_start",
      "tool_end",
      "subagent",
      "retry",
      "compacted",
      "agent_usage",
    ],
  },
  words: {
    label: "Text and logs",
    types: ["text", "reasoning", "answer_buffered", "answer_discarded", "log", "events_dropped"],
  },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly types: readonly RunEventType[] }>
>;

export type EventGroup = keyof typeof EVENT_GROUPS;

const GROUP_OF: ReadonlyMap<string, EventGroup> = new Map(
  Object.entries(EVENT_GROUPS).flatMap(([group, { types }]) =>
    types.map((type) => [type, group as EventGroup] as const),
  ),
);

/** What an event is about; programs may report events of other types. */
export function groupOf(type: string): EventGroup | undefined {
  return GROUP_OF.get(type);
}

/** Bad news first: what the eye should find. */
export function colorOf(type: string): string {
  if (/(?:blocked|failed|timeout|dropped)$/.test(type)) return "red";
  if (/(?:completed|hook_complete)$/.test(type)) return "green";
  if (/^(?:run_stopp|run_retried|run_released|retry)/.test(type)) return "orange";
  switch (groupOf(type)) {
    case "runs":
      return "blue";
    case "hooks":
      return "indigo";
    case "approvals":
      return "violet";
    case "tools":
      return "teal";
    default:
      return "gray";
  }
}
