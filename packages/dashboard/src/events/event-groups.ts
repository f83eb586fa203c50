import {
  type EventTopic,
  isKnownEvent,
  isRunEventType,
  RUN_EVENT_TYPES,
  type RunEvent,
  subagentEvent,
  topicOf,
} from "@tenterhook/protocol/runs";

const LABELS = {
  runs: "Runs",
  hooks: "Hooks",
  approvals: "Approvals",
  edits: "Edits",
  tools: "Steps and tools",
  words: "Text and logs",
} as const;

/** The groups of events, as they appear in the address. */
export type EventGroup = keyof typeof LABELS;

const GROUP_OF_TOPIC: Readonly<Record<EventTopic, EventGroup>> = {
  runs: "runs",
  hooks: "hooks",
  approvals: "approvals",
  edits: "edits",
  steps: "tools",
  output: "words",
};

/** The known event types by group. */
export const EVENT_GROUPS = Object.entries(LABELS).map(([group, label]) => ({
  group: group as EventGroup,
  label,
  types: RUN_EVENT_TYPES.filter((type) => groupOf(type) === group),
}));

/** The group of an event type; undefined for types that only a newer runner knows. */
export function groupOf(type: string): EventGroup | undefined {
  return isRunEventType(type) ? GROUP_OF_TOPIC[topicOf(type)] : undefined;
}

/** Whether an event reports a refusal or a failure, which are red wherever they appear. */
export function isFailure(event: RunEvent): boolean {
  if (/(?:blocked|failed|timeout|dropped)$/.test(event.event_type)) return true;
  if (!isKnownEvent(event)) return false;
  if (event.event_type === "subagent") return isFailure(subagentEvent(event));
  if (event.event_type === "hook_trial") return event.outcome === "failed";
  return event.event_type === "hook_acted" && event.failed === true;
}

/** The badge colour of an event. */
export function colorOf(event: RunEvent): string {
  if (isFailure(event)) return "red";
  const { event_type: type } = event;
  if (/(?:completed|hook_complete)$/.test(type)) return "green";
  if (/^(?:run_stopp|run_retried|run_released|retry)/.test(type)) return "orange";
  switch (groupOf(type)) {
    case "runs":
      return "blue";
    case "hooks":
      return "indigo";
    case "approvals":
      return "violet";
    case "edits":
      return "grape";
    case "tools":
      return "teal";
    default:
      return "gray";
  }
}
