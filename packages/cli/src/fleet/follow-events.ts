import { EXIT, type ExitCode, option } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { jsonText, notify, print } from "../terminal.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { eventLine } from "./format-event.ts";

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
