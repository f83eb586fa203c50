import { typedCommand } from "@tenterhook/internal";
import { defineCommand } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { FOLLOW_OPTIONS, followEvents } from "../fleet/follow-events.ts";
import { UsageError } from "../usage-error.ts";

/** An earlier name of `runs --follow`. */
export const events = defineCommand({
  usage: "events --follow [--run ID] [--session ID] [--agent NAME] [--type T] [--after CURSOR]",
  about:
    "Prints the events of a coordinator as they happen, until Ctrl-C. A lost connection is reopened at the same position,\n" +
    "so that no event is missed. With --json one event per line; --after continues after the event with that id. For all\n" +
    "events of one run: tenterhook runs events ID.",
  options: {
    ...ACCESS_OPTIONS,
    follow: { type: "boolean", about: "follow new events (required)" },
    ...FOLLOW_OPTIONS,
    session: { type: "string", value: "ID", about: "only events of this session" },
    agent: { type: "string", value: "NAME", about: "only events of runs of this agent" },
  },
  arguments: { min: 0, max: 0 },
  examples: [
    { command: "tenterhook events --follow", means: "all events" },
    { command: "tenterhook events --follow --type hook_blocked --json", means: "refusals, for a program" },
  ],
  run(values) {
    if (!values.follow) {
      throw new UsageError(
        "--follow is required.",
        `For past events of a run: ${typedCommand()} runs events ID`,
      );
    }
    return followEvents(new CoordinatorClient(findAccess(values)), values);
  },
});
