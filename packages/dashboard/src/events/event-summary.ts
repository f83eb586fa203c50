import { formatVerdict } from "@tenterhook/protocol/internal";
import { isKnownEvent, type RunEvent, subagentEvent } from "@tenterhook/protocol/runs";
import { countText } from "../components/count-text.ts";
import { durationText } from "../components/durations.ts";
import { formatCount } from "../components/format-count.ts";

/** Longer summaries are cut. */
const MAX_CHARACTERS = 300;

/** The name of a runner by its id, if it is known. */
type RunnerName = (id: string) => string | undefined;

/** A one-line summary of an event. */
export function eventSummary(event: RunEvent, runnerName: RunnerName = (id) => id): string {
  const line = summarize(event, runnerName).replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS)}…`;
}

function summarize(event: RunEvent, runnerName: RunnerName): string {
  if (!isKnownEvent(event)) return rest(event);
  switch (event.event_type) {
    case "run_created":
      return joined([
        event.agent_name,
        event.kind === "client" ? "" : event.kind,
        event.retry_of === undefined ? "" : `retry of ${event.retry_of}`,
        by(event),
      ]);
    case "run_claimed":
    case "run_started":
      return `by ${runnerName(event.runner_id) ?? event.runner_id}`;
    case "run_ready":
      return event.parameters_changed ? "with changed parameters" : "";
    case "run_finishing":
      return event.status === undefined ? "" : `will be ${event.status}`;
    case "run_completed":
    case "run_failed":
      return event.block_reason ?? event.error ?? event.stop_reason ?? "";
    case "run_stopped":
      return reasonBy(event.stop_reason ?? "", event);
    case "run_stopping":
      return reasonBy(event.reason, event);
    case "run_retried":
    case "run_released":
      return event.reason;
    case "approval_requested":
      return joined([event.hook ?? event.hook_type, event.reason]);
    case "hook_start":
      return hookTarget(event);
    case "hook_waiting":
      return joined([hookTarget(event), event.detail]);
    case "hook_complete":
      return joined([
        hookTarget(event),
        took(event),
        event.not_enforced === undefined
          ? event.action === "block"
            ? "block"
            : ""
          : formatVerdict(event.not_enforced),
        event.reason,
      ]);
    case "hook_blocked":
      return joined([hookTarget(event), took(event), event.block_reason]);
    case "hook_failed":
    case "hook_timeout":
      return joined([hookTarget(event), took(event), event.error]);
    case "hook_trial":
      return joined([
        event.hook_name ?? event.hook_type,
        event.outcome,
        took(event),
        event.reason ?? event.error ?? "",
        `by ${event.by}`,
      ]);
    case "hook_acted":
      return joined([
        `${event.event} ${event.hook ?? ""}`,
        event.not_enforced === undefined ? event.action : formatVerdict(event.not_enforced),
        event.reason,
      ]);
    case "hook_tallies":
      return `${countText(
        event.tallies.reduce((calls, { count }) => calls + count, 0),
        "call",
      )} of hooks`;
    case "approval_decided":
      return joined([
        event.decision,
        // Events of the first versions have only the other field, and one for questions that no person decided.
        event.decision === "expire" ? undefined : by({ by: event.by ?? event.decided_by }) || event.reason,
      ]);
    case "agent_saved":
      return joined([event.agent_name, `revision ${event.revision}`, by(event)]);
    case "agent_deleted":
      return joined([event.agent_name, by(event)]);
    case "named_hook_saved":
      return joined([
        event.hook_name,
        event.revision === undefined ? "" : `revision ${event.revision}`,
        by(event),
      ]);
    case "named_hook_deleted":
      return joined([event.hook_name, by(event)]);
    case "runner_drained":
    case "runner_undrained":
      return joined([event.runner_name, by(event)]);
    case "session_deleted":
      return joined([event.session_id ?? "", by(event)]);
    case "tool_start":
      return joined([event.tool_name, text(event.tool_input)]);
    case "tool_end":
      return joined([event.tool_name, event.status, took(event), event.reason ?? text(event.result)]);
    case "step_start":
      return `step ${event.step}`;
    case "step_end":
      return joined([`step ${event.step}`, event.status]);
    case "agent_usage":
      return joined([
        countText(event.steps, "step"),
        event.input_tokens === undefined ? "" : `${countText(event.input_tokens, "token")} in`,
        event.output_tokens === undefined ? "" : `${formatCount(event.output_tokens)} out`,
        took(event),
      ]);
    case "retry":
      return joined([`attempt ${event.attempt}`, event.error]);
    case "subagent":
      return joined([event.subagent, event.event.event_type, summarize(subagentEvent(event), runnerName)]);
    case "text":
    case "reasoning":
    case "log":
      return event.text;
    default:
      return rest(event);
  }
}

function by({ by: name }: { readonly by?: string | undefined }): string {
  return name === undefined ? "" : `by ${name}`;
}

/** The reason of a stop. One that a person did not give is `stopped by ana` already. */
function reasonBy(reason: string, event: { readonly by?: string | undefined }): string {
  return reason === `stopped ${by(event)}` ? reason : joined([reason, by(event)]);
}

interface HookFacts {
  readonly hook_type: string;
  readonly hook_name?: string | undefined;
  readonly target_name?: string | undefined;
}

/** `on_run_start curfew (four-eyes)`: the type, the name of a named hook, and what it calls. */
function hookTarget({ hook_type, hook_name, target_name = "" }: HookFacts): string {
  return hook_name === undefined
    ? `${hook_type} ${target_name}`
    : `${hook_type} ${hook_name}${target_name === "" ? "" : ` (${target_name})`}`;
}

const COMMON = new Set(["id", "event_type", "session_id", "run_id", "number", "timestamp"]);

/** The own fields of an event whose type is unknown or has no summary. */
function rest(event: object): string {
  const own = Object.entries(event).filter(([name, value]) => !COMMON.has(name) && value !== null);
  return own.map(([name, value]) => `${name}: ${text(value)}`).join(", ");
}

function took({ duration_ms }: { readonly duration_ms?: number | undefined }): string {
  return duration_ms === undefined ? "" : durationText(duration_ms);
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== "").join(" · ");
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
