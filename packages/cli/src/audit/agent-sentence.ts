import { duration } from "../terminal.ts";
import type { AuditRecord } from "./audit-record.ts";

/** A decision of a bridge as a sentence, and its session and project. */
export function agentSentence(
  record: AuditRecord,
  client: string,
): { readonly sentence: string; readonly where: string } {
  const { session_id: session, project, duration_ms: ms } = record;
  const where = [session === undefined ? "" : `session ${session}`, project ?? "", duration(ms)];
  return {
    sentence: `${attemptText(record, client)}${ending(record, client)}`,
    where: where.filter(Boolean).join(" · "),
  };
}

function attemptText({ event, tool_name: tool, subject }: AuditRecord, client: string): string {
  const call = `${tool ?? "a tool"}${subject === undefined ? "" : ` ${JSON.stringify(subject)}`}`;
  switch (event) {
    case "before_tool":
      return `${client} wanted to call ${call}`;
    case "after_tool":
      return `${client} called ${call}`;
    case "after_tool_failure":
      return `${client} failed to call ${call}`;
    case "before_agent":
      return `${client} was given a prompt`;
    case "before_stop":
      return `${client} wanted to stop`;
    case "subagent_start":
      return `${client} wanted to start a subagent`;
    case "subagent_stop":
      return `a subagent of ${client} wanted to stop`;
    case "session_start":
      return `a session of ${client} began`;
    case "session_end":
      return `a session of ${client} ended`;
    default:
      return `${client} reported ${event}`;
  }
}

function ending(
  { event, outcome, reported, decided_by: by = "a hook", reason, allowed_once }: AuditRecord,
  client: string,
): string {
  const why = reason === undefined ? "" : `: ${reason}`;
  if (outcome === "block" || outcome === "stop") {
    if (reported === "nothing") return `, and ${by} objected, which ${client} has no form for${why}`;
    return event === "before_stop" || event === "subagent_stop"
      ? `, and ${by} kept it working${why}`
      : `, and ${by} refused it${why}`;
  }
  if (allowed_once) return ", and it was allowed once by a person";
  if (outcome === "ask") return `, and ${by} wanted a person to decide${why}`;
  if (reason !== undefined && reported === "ask") return `, and ${by} wanted a person to decide${why}`;
  if (reason !== undefined && reported === "block")
    return `, and it was refused, because ${by} wanted a person to decide${why}`;
  // The hooks let it pass with a change that the client cannot express.
  if (reported === "block") return `, and it was refused, because of what ${by} changed`;
  if (reported === "rewrite" || reported === "ask") return ", and its input was changed";
  if (reported === "result") return ", and its result was replaced";
  return reported === "context" ? ", and text was added for the model" : ", and it continued";
}
