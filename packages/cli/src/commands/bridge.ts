import { CLIENTS } from "@tenterhook/bridges";
import { didYouMean } from "@tenterhook/internal";
import { defineCommand, option } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** Lists the command and its help; `main.ts` runs the bridge without loading this file. */
export const bridge = defineCommand({
  usage: "bridge --client C --event E [--timeout SECONDS] [--entry NAME]",
  about:
    "What a coding agent calls as its own hook: the agent's JSON on standard input, its own kind of answer on standard output.\n" +
    "Exit 0, or 2 where that refuses. The hooks of the user and of the session's project are asked.",
  options: {
    client: option.text("C", `the coding agent: ${Object.keys(CLIENTS).join(", ")}`),
    event: option.text("E", "its own name of the event, such as PreToolUse"),
    timeout: option.text("SECONDS", "how long the agent waits for an answer"),
    entry: option.text(
      "NAME",
      "tells several entries in the agent's configuration apart, so that each call is checked once",
    ),
    home: option.text("DIR", "the home folder, in place of $HOME"),
    "config-home": option.text("DIR", "in place of $XDG_CONFIG_HOME"),
    "state-home": option.text("DIR", "in place of $XDG_STATE_HOME"),
    "cache-home": option.text("DIR", "in place of $XDG_CACHE_HOME"),
  },
  examples: [
    {
      command: "tenterhook bridge --client claude --event PreToolUse < payload.json",
      means: "what would Claude Code get as the answer?",
    },
  ],
  run({ client = "" }) {
    const known = Object.keys(CLIENTS);
    throw new UsageError(
      client === "" ? "it needs --client and --event." : `unknown coding agent "${client}".`,
      didYouMean(client, known, `Known: ${known.join(", ")}.`),
    );
  },
});
