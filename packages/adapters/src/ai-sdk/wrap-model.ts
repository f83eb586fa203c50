import { HookedCall } from "./hooked-call.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, Model } from "./sdk-types.ts";

/** A model that calls hooks around each call, and keeps the agent running when hooks require it. */
export function wrapModel(model: Model, getRun: (params: CallParams) => ModelRun): Model {
  const wrapped = new WrappedModel(model, getRun);
  // What else the provider's model has.
  for (const key of Object.keys(model) as (keyof Model)[])
    if (!(key in wrapped)) Object.assign(wrapped, { [key]: model[key] });
  return wrapped;
}

/** A class, because every run has its own: the SDK reads objects of one shape faster than what a spread and a getter give. */
class WrappedModel implements Model {
  readonly specificationVersion: Model["specificationVersion"];
  readonly provider: Model["provider"];
  readonly modelId: Model["modelId"];
  readonly doGenerate: Model["doGenerate"];
  readonly doStream: Model["doStream"];
  readonly #model: Model;

  constructor(model: Model, getRun: (params: CallParams) => ModelRun) {
    this.specificationVersion = model.specificationVersion;
    this.provider = model.provider;
    this.modelId = model.modelId;
    this.doGenerate = (params) => new HookedCall(model, getRun(params), params).generate();
    this.doStream = (params) => new HookedCall(model, getRun(params), params).stream();
    this.#model = model;
  }

  get supportedUrls(): Model["supportedUrls"] {
    return this.#model.supportedUrls;
  }
}
