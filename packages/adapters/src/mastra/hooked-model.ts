import { isRecord } from "@tenterhook/internal";
import type { CallParams } from "../ai-sdk/sdk-types.ts";
import { wrapModel } from "../ai-sdk/model.ts";
import type { ConfigArgs } from "./config.ts";
import type { MastraRun } from "./mastra-run.ts";
import { resolveModel } from "./resolve-model.ts";
import type { Runs } from "./runs.ts";

/** The model of a configuration with the hooks, for one call of the agent. A list of models has one run. */
export async function hookModel(model: unknown, args: ConfigArgs, runs: Runs): Promise<unknown> {
  const own: unknown = typeof model === "function" ? await model(args) : model;
  // Mastra asks for the model also where it is not called.
  let run: MastraRun | undefined;
  const claimRun = ({ prompt }: CallParams) => {
    run ??= runs.claim(args.requestContext, prompt);
    return run;
  };
  if (!Array.isArray(own)) return wrapModel(await resolveModel(own, args), claimRun);
  const entries: readonly unknown[] = own;
  return Promise.all(
    entries.map(async (entry, index) => {
      if (!isRecord(entry)) return entry;
      const each: unknown = typeof entry.model === "function" ? await entry.model(args) : entry.model;
      const maxRetries = typeof entry.maxRetries === "number" ? entry.maxRetries : undefined;
      const hasFallback = entries
        .slice(index + 1)
        .some((later) => isRecord(later) && later.enabled !== false);
      const getRun = (params: CallParams) => {
        const claimed = claimRun(params);
        claimed.useModel({ maxRetries, hasFallback });
        return claimed;
      };
      return { ...entry, model: wrapModel(await resolveModel(each, args), getRun) };
    }),
  );
}
