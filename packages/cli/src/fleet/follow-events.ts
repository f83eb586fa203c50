import { shortened } from "@tenterhook/internal";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { EXIT, type ExitCode, option } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { bold, dim, green, jsonText, notify, oneLine, print, red, type Style, yellow } from "../terminal.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";

/** The options of a command that follows events, beside those of the coordinator. */
export const FOLLOW_OPTIONS = {
  run: option.text("ID", "--follow: only events of this run"),
  type: option.list("T", "--follow: only events of these types"),
  after: option.text("CURSOR", "--follow: start after the event with this id (default: now)"),
} as const;

interface FollowedEvents {
  readonly run: string | undefined;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly type: readonly string[];
  readonly after: string | undefined;
  readonly json: boolean;
}

/** Prints the events of a coordinator as they happen, until Ctrl-C. */
export async function followEvents(
  client: CoordinatorClient,
  { run, session, agent, type, after, json }: FollowedEvents,
): Promise<ExitCode> {
  // Report an unknown filter value instead of printing nothing.
  if (agent !== undefined) await client.agents.read(agent);
  if (session !== undefined) await client.sessions.read(session);
  if (run !== undefined) await client.runs.read(run);
  const filters = {
    run_id: run,
    session_id: session,
    agent,
    types: type.length === 0 ? undefined : type.join(","),
  };
  await untilInterrupted(async (signal) => {
    const following = client.events.follow({
      filters,
      after,
      signal,
      onConnection: (state) => notify(state === "lost" ? "connection lost; retrying" : "connected again"),
      onReset: () => notify("earlier events have been deleted"),
    });
    for await (const event of following) print(json ? jsonText(event) : eventLine(event));
  });
  return EXIT.interrupted;
}

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
    .map(([key, value]) => `${dim(`${key}:`)} ${oneLine(shortened(asText(value), MAX_CHARACTERS))}`);
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

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
