import { HookedCall } from "./hooked-call.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, Model } from "./sdk-types.ts";

/** A model that calls hooks around each call, and keeps the agent running when hooks require it. */
export function wrapModel(model: Model, getRun: (params: CallParams) => ModelRun): Model {
  return {
    ...model,
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (params) => new HookedCall(model, getRun(params), params).generate(),
    doStream: (params) => new HookedCall(model, getRun(params), params).stream(),
  };
}
