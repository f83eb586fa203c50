import { randomUUID } from "node:crypto";
import type { Run } from "@tenterhook/protocol/runs";
import { defineCommand } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { findAgent } from "../fleet/find-named.ts";
import { reportStartedRun } from "../fleet/report-run.ts";
import { runParameters } from "../fleet/run-parameters.ts";

export const runAgent = defineCommand({
  usage: "run-agent NAME [MESSAGE | KEY=VALUE… | '{\"JSON\": …}'] [--session ID] [--wait]",
  about:
    "Starts a run of an agent of a coordinator. With --wait it prints progress to standard error, and the result alone to\n" +
    "standard output: exit 0 when the run completed, 2 when it was stopped or blocked by a hook, 1 when it failed. The\n" +
    "parameters are a plain message, which becomes the parameter message, prompt or the only required text of the agent; or\n" +
    "key=value, repeatedly; or a JSON object, with @FILE from a file and with - from standard input.",
  options: {
    ...ACCESS_OPTIONS,
    session: { type: "string", value: "ID", about: "the session (default: a new one)" },
    wait: { type: "boolean", about: "wait for the result, with progress" },
  },
  arguments: { min: 1, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: 'tenterhook run-agent hello "Who are you?" --wait', means: "a message" },
    { command: "tenterhook run-agent deployer environment=production --wait", means: "a parameter" },
    {
      command: `tenterhook run-agent report-generator '{"report_id": "R123"}' --wait`,
      means: "start a run, show its progress, and print the result",
    },
  ],
  async run({ session, wait, json, ...access }, [name = "", ...args]) {
    const client = new CoordinatorClient(findAccess(access));
    const parameters = await runParameters(args, () => findAgent(client, name));
    const started = await client.send<Run>("POST", "/runs", {
      body: { agent_name: name, parameters, ...(session !== undefined && { session_id: session }) },
      headers: { "idempotency-key": randomUUID() },
    });
    return reportStartedRun(client, started, { wait, json, access });
  },
});
