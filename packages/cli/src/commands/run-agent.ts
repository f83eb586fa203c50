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
    "Starts a run of an agent of a coordinator. With --wait it tells what happens on standard error, and prints what came\n" +
    "of it, alone, on standard output: exit 0 when it completed, 2 when it was stopped or a hook blocked it, 1 when it\n" +
    "failed. The parameters are a plain message, which becomes the parameter message, prompt or the only text that the agent\n" +
    "needs; or key=value, several times; or an object as JSON, which @FILE takes from a file and - from standard input.",
  options: {
    ...ACCESS_OPTIONS,
    session: { type: "string", value: "ID", about: "the session it belongs to (default: a new one)" },
    wait: { type: "boolean", about: "wait for the end, with progress" },
  },
  arguments: { min: 1, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: 'tenterhook run-agent hello "Who are you?" --wait', means: "a message" },
    { command: "tenterhook run-agent deployer environment=production --wait", means: "a parameter" },
    {
      command: `tenterhook run-agent report-generator '{"report_id": "R123"}' --wait`,
      means: "start it, watch it, and print the result",
    },
  ],
  async run({ session, wait, json, ...access }, [name = "", ...words]) {
    const client = new CoordinatorClient(findAccess(access));
    const parameters = await runParameters(words, () => findAgent(client, name));
    const started = await client.send<Run>("POST", "/runs", {
      body: { agent_name: name, parameters, ...(session !== undefined && { session_id: session }) },
      headers: { "idempotency-key": randomUUID() },
    });
    return reportStartedRun(client, started, { wait, json, access });
  },
});
