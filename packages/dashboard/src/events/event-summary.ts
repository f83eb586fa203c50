import type { RunEvent } from "@tenterhook/protocol/runs";
import { durationText } from "../parts/durations.ts";

/** Longer lines are cut; the whole event is one click away. */
const MOST_LETTERS = 300;

/** What matters of an event, on one line. */
export function eventSummary(event: RunEvent): string {
  const line = words(event).replaceAll(/\s+/g, " ").trim();
  return line.length <= MOST_LETTERS ? line : `${line.slice(0, MOST_LETTERS)}…`;
}

function words(event: RunEvent): string {
  const { event_type: type } = event;
  const say = (field: string) => text(event[field]);
  switch (type) {
    case "run_created":
      return joined([say("agent_name"), event.kind === "client" ? "" : say("kind")]);
    case "run_claimed":
    case "run_started":
      return joined([say("runner_id") && `by ${say("runner_id")}`]);
    case "run_ready":
      return event.parameters_changed === true ? "with other parameters" : "";
    case "run_finishing":
      return joined([say("status") && `will be ${say("status")}`]);
    case "run_completed":
    case "run_failed":
    case "run_stopped":
      return say("block_reason") || say("error") || say("stop_reason");
    case "run_stopping":
    case "run_retried":
    case "run_released":
      return say("reason");
    case "hook_start":
    case "hook_complete":
    case "hook_blocked":
    case "hook_failed":
    case "hook_timeout":
      return joined([
        `${say("hook_type")} ${say("target_name")}`,
        took(event),
        say("block_reason") || say("error") || (event.action === "continue" ? "" : say("action")),
      ]);
    case "hook_acted":
      return joined([`${say("event")} ${say("hook")}`, say("action"), say("reason")]);
    case "approval_requested":
      return say("reason");
    case "approval_decided":
      return joined([say("decision"), say("decided_by") ? `by ${say("decided_by")}` : say("reason")]);
    case "tool_start":
      return joined([say("tool_name"), say("tool_input")]);
    case "tool_end":
      return joined([say("tool_name"), say("status"), took(event), say("reason") || say("result")]);
    case "step_start":
      return `step ${say("step")}`;
    case "step_end":
      return joined([`step ${say("step")}`, say("status")]);
    case "agent_usage":
      return joined([
        `${say("steps")} steps`,
        `${say("input_tokens")} tokens in`,
        `${say("output_tokens")} out`,
        took(event),
      ]);
    case "retry":
      return joined([`attempt ${say("attempt")}`, say("error")]);
    case "subagent":
      return joined([say("subagent"), inner(event.event)]);
    case "text":
    case "reasoning":
    case "log":
      return say("text");
    default:
      return rest(event);
  }
}

function inner(event: unknown): string {
  if (typeof event !== "object" || event === null || !("event_type" in event)) return "";
  return joined([text(event.event_type), words(event as RunEvent)]);
}

const COMMON = new Set(["id", "event_type", "session_id", "run_id", "number", "timestamp"]);

/** Of an event that nobody here knows: everything that is its own. */
function rest(event: RunEvent): string {
  const own = Object.entries(event).filter(([name, value]) => !COMMON.has(name) && value !== null);
  return own.map(([name, value]) => `${name}: ${text(value)}`).join(", ");
}

function took({ duration_ms }: RunEvent): string {
  return typeof duration_ms === "number" ? durationText(duration_ms) : "";
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join(" · ");
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
