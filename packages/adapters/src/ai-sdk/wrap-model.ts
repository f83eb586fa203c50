import { HookedCall } from "./hooked-call.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, GenerateResult, Model, StreamResult } from "./sdk-types.ts";

/** A model that calls hooks around each call, and keeps the agent running when hooks require it. */
export function wrapModel(model: Model, getRun: (params: CallParams) => ModelRun): Model {
  const wrapped = new WrappedModel(model, getRun);
  // What else the provider's model has.
  for (const key of Object.keys(model) as (keyof WrappedModel)[])
    if (!(key in wrapped))
      (wrapped as Record<string, unknown>)[key] = (model as unknown as WrappedModel)[key];
  return wrapped;
}

/** A class, because every run has its own: the SDK reads objects of one shape faster than what a spread and a getter give. */
class WrappedModel implements Model {
  readonly [field: string]: unknown;
  readonly specificationVersion: Model["specificationVersion"];
  readonly provider: Model["provider"];
  readonly modelId: Model["modelId"];
  readonly #model: Model;
  readonly #getRun: (params: CallParams) => ModelRun;

  constructor(model: Model, getRun: (params: CallParams) => ModelRun) {
    this.specificationVersion = model.specificationVersion;
    this.provider = model.provider;
    this.modelId = model.modelId;
    this.#model = model;
    this.#getRun = getRun;
  }

  get supportedUrls(): Model["supportedUrls"] {
    return this.#model.supportedUrls;
  }

  doGenerate(params: CallParams): Promise<GenerateResult> {
    return new HookedCall(this.#model, this.#getRun(params), params).generate();
  }

  doStream(params: CallParams): Promise<StreamResult> {
    return new HookedCall(this.#model, this.#getRun(params), params).stream();
  }
}
