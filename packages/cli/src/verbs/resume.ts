import { randomUUID } from "node:crypto";
import type { Run } from "@tenterhook/protocol/runs";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { tellStartedRun } from "../fleet/started-run.ts";
import { jsonObject } from "../json-word.ts";
import { defineVerb } from "../verb.ts";

export const resume = defineVerb({
  usage: "resume SESSION ['{\"JSON\": …}'] [--wait]",
  about:
    "Starts another run in a session of a coordinator, with the session's agent. An agent that a finish hook started\n" +
    "gives its result back to the session before it in this way.",
  options: { ...ACCESS_OPTIONS, wait: { type: "boolean", about: "wait for the end, with progress" } },
  words: { least: 1, most: 2 },
  examples: [
    {
      command: `tenterhook resume ses_… '{"message": "And then?"}' --wait`,
      means: "go on with the conversation",
    },
  ],
  async run({ wait, json, ...access }, [session = "", words = "{}"]) {
    const client = new CoordinatorClient(findAccess(access));
    const parameters = await jsonObject(words, "the parameters");
    const started = await client.ask<Run>("POST", `/sessions/${encodeURIComponent(session)}/resume`, {
      body: { parameters },
      headers: { "idempotency-key": randomUUID() },
    });
    return tellStartedRun(client, started, { wait, json });
  },
});
