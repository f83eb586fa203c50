import { HookedCall } from "./hooked-call.ts";
import { resolveModel } from "./resolve-model.ts";
import type { SdkRun } from "./sdk-run.ts";
import type { Model } from "./sdk-types.ts";

/** A model that calls hooks around each call, and keeps the agent running when hooks require it. */
export function hookModel(model: unknown, getRun: () => SdkRun): Model {
  const inner = resolveModel(model);
  return {
    specificationVersion: inner.specificationVersion,
    provider: inner.provider,
    modelId: inner.modelId,
    get supportedUrls() {
      return inner.supportedUrls;
    },
    doGenerate: (params) => new HookedCall(inner, getRun(), params).generate(),
    doStream: (params) => new HookedCall(inner, getRun(), params).stream(),
  };
}
