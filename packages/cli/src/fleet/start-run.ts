import { randomUUID } from "node:crypto";
import type { AgentRecord, Run } from "@tenterhook/protocol/runs";
import { UsageError } from "../usage-error.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { reportMisspelt } from "./misspelt-parameter.ts";

/** Sends a request that starts a run. A refusal of its parameters names the one that is misspelt, if one is. */
export async function startRun(
  client: CoordinatorClient,
  path: string,
  body: { readonly parameters: Readonly<Record<string, unknown>>; readonly [field: string]: unknown },
  findAgent: () => Promise<AgentRecord>,
): Promise<Run> {
  try {
    return await client.send<Run>("POST", path, { body, headers: { "idempotency-key": randomUUID() } });
  } catch (error) {
    if (error instanceof UsageError && error.details.code === "bad_parameters") {
      const { name, parameters_schema } = (await findAgent()).blueprint;
      reportMisspelt(name, parameters_schema ?? {}, body.parameters);
    }
    throw error;
  }
}
