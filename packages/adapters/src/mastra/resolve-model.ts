import { isRecord } from "@tenterhook/internal";
import { replaceCalls } from "../ai-sdk/model.ts";
import type { Model, StreamResult } from "../ai-sdk/sdk-types.ts";
import { collectStream } from "../ai-sdk/stream.ts";
import type { ConfigArgs } from "./config.ts";

/** The model of a configuration, as Mastra finds it: an object, a name for its router, or the settings of a provider. */
export async function resolveModel(model: unknown, args?: ConfigArgs): Promise<Model> {
  if (isRecord(model) && typeof model.doGenerate === "function") return model as unknown as Model;
  if (typeof model === "object" && model !== null && "doGenerate" in model) return model as Model;
  const { resolveModelConfig } = await import("@mastra/core/llm");
  return rejectErrors((await resolveModelConfig(model, args?.requestContext, args?.mastra)) as Model);
}

/** Mastra's router answers `doGenerate` with a stream that contains an error where it finds no key. Here it is thrown. */
function rejectErrors(model: Model): Model {
  const doGenerate: Model["doGenerate"] = async (params) => {
    const result: object = await model.doGenerate(params);
    return "content" in result
      ? (result as Awaited<ReturnType<Model["doGenerate"]>>)
      : collectStream(result as StreamResult, () => undefined);
  };
  return replaceCalls(model, { doGenerate, doStream: (params) => model.doStream(params) });
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
