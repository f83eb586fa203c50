import { typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { eventLine } from "../fleet/format-event.ts";
import { untilInterrupted } from "../interrupt.ts";
import { jsonText, notify, print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export const events = defineCommand({
  usage: "events --follow [--run ID] [--session ID] [--agent NAME] [--type T] [--after CURSOR]",
  about:
    "Prints the events of a coordinator as they happen, until Ctrl-C. A lost connection is reopened at the same position,\n" +
    "so that no event is missed. With --json one event per line; --after continues after the event with that id. For all\n" +
    "events of one run: tenterhook runs events ID.",
  options: {
    ...ACCESS_OPTIONS,
    follow: { type: "boolean", about: "follow new events (required)" },
    run: { type: "string", value: "ID", about: "only events of this run" },
    session: { type: "string", value: "ID", about: "only events of this session" },
    agent: { type: "string", value: "NAME", about: "only events of runs of this agent" },
    type: { type: "list", value: "T", about: "only events of these types" },
    after: { type: "string", value: "CURSOR", about: "start after the event with this id (default: now)" },
  },
  arguments: { min: 0, max: 0 },
  examples: [
    { command: "tenterhook events --follow", means: "all events" },
    { command: "tenterhook events --follow --type hook_blocked --json", means: "refusals, for a program" },
  ],
  async run({ follow, run, session, agent, type, after, json, ...access }) {
    if (!follow) {
      throw new UsageError(
        "--follow is required.",
        `For past events of a run: ${typedCommand()} runs events ID`,
      );
    }
    const client = new CoordinatorClient(findAccess(access));
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
  },
});
