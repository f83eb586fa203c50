import { CLIENTS } from "@tenterhook/bridges";
import { didYouMean } from "@tenterhook/internal";
import { defineCommand } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** Lists the command and its help; `main.ts` runs the bridge without loading this file. */
export const bridge = defineCommand({
  usage: "bridge --client C --event E [--timeout SECONDS] [--entry NAME]",
  about:
    "What a coding agent calls as its own hook: the agent's JSON on standard input, its own kind of answer on standard output.\n" +
    "Exit 0, or 2 where that refuses. The hooks of the user and of the session's project are asked.",
  options: {
    client: { type: "string", value: "C", about: `the coding agent: ${Object.keys(CLIENTS).join(", ")}` },
    event: { type: "string", value: "E", about: "its own name of the event, such as PreToolUse" },
    timeout: { type: "string", value: "SECONDS", about: "how long the agent waits for an answer" },
    entry: {
      type: "string",
      value: "NAME",
      about: "tells several entries in the agent's configuration apart, so that each call is checked once",
    },
    home: { type: "string", value: "DIR", about: "the home folder, in place of $HOME" },
    "config-home": { type: "string", value: "DIR", about: "in place of $XDG_CONFIG_HOME" },
    "state-home": { type: "string", value: "DIR", about: "in place of $XDG_STATE_HOME" },
    "cache-home": { type: "string", value: "DIR", about: "in place of $XDG_CACHE_HOME" },
  },
  arguments: { min: 0, max: 0 },
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
