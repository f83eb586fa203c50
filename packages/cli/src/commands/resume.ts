import { defineCommand } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { DETACH_OPTIONS, isDetached } from "../fleet/detach-option.ts";
import { reportStartedRun } from "../fleet/report-run.ts";
import { runParameters } from "../fleet/run-parameters.ts";
import { startRun } from "../fleet/start-run.ts";

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
  async run({ detach, wait, json, ...access }, [session = "", ...args]) {
    const isOnlyStarted = isDetached({ detach, wait });
    const client = new CoordinatorClient(findAccess(access));
    const agent = async () => client.agents.read((await client.sessions.read(session)).agent_name);
    const parameters = await runParameters(args, agent);
    const resume = (options: object) => client.sessions.resume(session, { parameters }, options);
    const started = await startRun(resume, parameters, agent);
    return reportStartedRun(client, started, { detach: isOnlyStarted, json, access });
  },
});
