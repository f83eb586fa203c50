import type { RunEvent } from "@tenterhook/protocol/runs";
import { bold, dim, green, oneLine, red, type Style, yellow } from "../terminal.ts";

/** The fields of every event; the others depend on its type. */
const COMMON = new Set(["id", "event_type", "session_id", "run_id", "number", "timestamp", "agent_name"]);
/** The same as `by`, for programs of earlier versions. */
const REPEATED = "decided_by";

/** Longer values are cut; --json prints all of it. */
const MAX_CHARACTERS = 160;

/** An event on one line. */
export function eventLine(event: RunEvent): string {
  const { timestamp, run_id, event_type, agent_name } = event;
  const facts = Object.entries(event)
    .filter(([key, value]) => !COMMON.has(key) && value !== null && value !== undefined)
    .filter(([key]) => key !== REPEATED || event.by === undefined)
    .map(([key, value]) => `${dim(`${key}:`)} ${oneLine(formatValue(value))}`);
  const clock = timestamp.slice(11, 23);
  const who = typeof agent_name === "string" ? ` ${agent_name}` : "";
  return [dim(clock), `${run_id ?? ""}${who}`, chooseStyle(event_type)(event_type), ...facts].join("  ");
}

function chooseStyle(type: string): Style {
  if (/(?:blocked|failed|timeout|dropped)$/.test(type)) return red;
  if (/(?:completed|complete)$/.test(type)) return green;
  if (/^(?:approval|hook)_/.test(type)) return yellow;
  return bold;
}

function formatValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}
