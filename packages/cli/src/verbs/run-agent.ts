import { randomUUID } from "node:crypto";
import type { Run } from "@tenterhook/protocol/runs";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { tellStartedRun } from "../fleet/started-run.ts";
import { jsonObject } from "../json-word.ts";
import { defineVerb } from "../verb.ts";

export const runAgent = defineVerb({
  usage: "run-agent NAME ['{\"JSON\": …}'] [--session ID] [--wait]",
  about:
    "Starts a run of an agent of a coordinator. With --wait it tells what happens on standard error, and prints what came\n" +
    "of it, alone, on standard output: exit 0 when it completed, 2 when it was stopped or a hook blocked it, 1 when it\n" +
    "failed. The parameters are an object as JSON; @FILE takes them from a file, - from standard input.",
  options: {
    ...ACCESS_OPTIONS,
    session: { type: "string", value: "ID", about: "the session it belongs to (default: a new one)" },
    wait: { type: "boolean", about: "wait for the end, with progress" },
  },
  words: { least: 1, most: 2 },
  examples: [
    {
      command: `tenterhook run-agent report-generator '{"report_id": "R123"}' --wait`,
      means: "start it, watch it, and print the result",
    },
  ],
  async run({ session, wait, json, ...access }, [name = "", words = "{}"]) {
    const client = new CoordinatorClient(findAccess(access));
    const parameters = await jsonObject(words, "the parameters");
    const started = await client.ask<Run>("POST", "/runs", {
      body: { agent_name: name, parameters, ...(session !== undefined && { session_id: session }) },
      headers: { "idempotency-key": randomUUID() },
    });
    return tellStartedRun(client, started, { wait, json });
  },
});
