import { isRecord } from "@tenterhook/internal";
import type { Model } from "../ai-sdk/sdk-types.ts";
import type { ConfigArgs } from "./config.ts";

/** The model of a configuration, as Mastra finds it: an object, a name for its router, or the settings of a provider. */
export async function resolveModel(model: unknown, args?: ConfigArgs): Promise<Model> {
  if (isRecord(model) && typeof model.doGenerate === "function") return model as unknown as Model;
  if (typeof model === "object" && model !== null && "doGenerate" in model) return model as Model;
  const { resolveModelConfig } = await import("@mastra/core/llm");
  return (await resolveModelConfig(model, args?.requestContext, args?.mastra)) as Model;
}

/** The model of a name of Mastra's router. It is looked up when it is called. */
export function nameModel(name: string): Model {
  return {
    specificationVersion: "v2",
    provider: name.split("/")[0] ?? name,
    modelId: name,
    doGenerate: async (params) => (await resolveModel(name)).doGenerate(params),
    doStream: async (params) => (await resolveModel(name)).doStream(params),
  };
}
