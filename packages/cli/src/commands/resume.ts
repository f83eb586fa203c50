import { defineCommand } from "../command.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import { DETACH_OPTIONS } from "../fleet/detach-option.ts";
import { resumeSession } from "../fleet/resume-session.ts";

/** An earlier name of `run --resume SESSION`. */
export const resume = defineCommand({
  usage: "resume SESSION [MESSAGE | KEY=VALUE… | '{\"JSON\": …}'] [--detach | --wait]",
  about:
    "Starts another run in a session of a coordinator, with the session's agent, and waits for its result as run does. A\n" +
    "callback to a parent session works the same way.",
  options: { ...ACCESS_OPTIONS, ...DETACH_OPTIONS },
  arguments: { min: 1, max: Number.POSITIVE_INFINITY },
  examples: [
    {
      command: `tenterhook resume ses_… "And then?"`,
      means: "continue the conversation",
    },
  ],
  run: (values, [session = "", ...args]) => resumeSession(session, args, values),
});
