import { randomUUID } from "node:crypto";
import { isRequestError } from "@tenterhook/client";
import type { AgentRecord, Run } from "@tenterhook/protocol/runs";
import { reportMisspelt } from "./misspelt-parameter.ts";

/** Sends a request that starts a run. A refusal of its parameters names the one that is misspelt, if one is. */
export async function startRun(
  start: (options: { readonly idempotencyKey: string }) => Promise<Run>,
  parameters: Readonly<Record<string, unknown>>,
  findAgent: () => Promise<AgentRecord>,
): Promise<Run> {
  try {
    return await start({ idempotencyKey: randomUUID() });
  } catch (error) {
    if (isRequestError(error) && error.code === "bad_parameters") {
      const { name, parameters_schema } = (await findAgent()).blueprint;
      reportMisspelt(name, parameters_schema ?? {}, parameters);
    }
    throw error;
  }
}
