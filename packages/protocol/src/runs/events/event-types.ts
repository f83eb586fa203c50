/** What an event is about; lists and filters group events by it. */
export type EventTopic = "runs" | "hooks" | "approvals" | "edits" | "steps" | "output";

/** The types of events that the coordinator records, with their topics. What they contain is in `coordinator-events.ts`. */
export const COORDINATOR_EVENT_TYPES = {
  run_created: "runs",
  run_preparing: "runs",
  run_ready: "runs",
  run_claimed: "runs",
  run_started: "runs",
  run_released: "runs",
  run_retried: "runs",
  run_stopping: "runs",
  run_finishing: "runs",
  run_completed: "runs",
  run_failed: "runs",
  run_stopped: "runs",
  session_deleted: "edits",
  hook_waiting: "hooks",
  hook_start: "hooks",
  hook_complete: "hooks",
  hook_blocked: "hooks",
  hook_failed: "hooks",
  hook_timeout: "hooks",
  hook_trial: "hooks",
  approval_requested: "approvals",
  approval_decided: "approvals",
  agent_saved: "edits",
  agent_deleted: "edits",
  named_hook_saved: "edits",
  named_hook_deleted: "edits",
  runner_drained: "edits",
  runner_undrained: "edits",
} as const satisfies Readonly<Record<string, EventTopic>>;

/** The types of events that runners report, with their topics. What they contain is in `runner-events.ts`. */
export const RUNNER_EVENT_TYPES = {
  step_start: "steps",
  step_end: "steps",
  tool_start: "steps",
  tool_end: "steps",
  hook_acted: "hooks",
  hook_tallies: "hooks",
  subagent: "steps",
  retry: "steps",
  compacted: "steps",
  agent_usage: "steps",
  text: "output",
  reasoning: "output",
  answer_buffered: "output",
  answer_discarded: "output",
  log: "output",
  events_dropped: "output",
} as const satisfies Readonly<Record<string, EventTopic>>;

const TOPICS = { ...COORDINATOR_EVENT_TYPES, ...RUNNER_EVENT_TYPES };

export type CoordinatorEventType = keyof typeof COORDINATOR_EVENT_TYPES;
export type RunnerEventType = keyof typeof RUNNER_EVENT_TYPES;
export type RunEventType = keyof typeof TOPICS;

/** Every type of event that coordinators and runners of this version record for runs. */
export const RUN_EVENT_TYPES = Object.keys(TOPICS) as readonly string[] as readonly [
  RunEventType,
  ...RunEventType[],
];

export function isRunEventType(type: string): type is RunEventType {
  return Object.hasOwn(TOPICS, type);
}

export function topicOf(type: RunEventType): EventTopic {
  return TOPICS[type];
}
