import { TenterhookError } from "@tenterhook/protocol";
import type { LanguageModel } from "ai";
import { aiSdkModel } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";

/** A `Model`, or a language model of the AI SDK. */
export type ModelLike = Model | Exclude<LanguageModel, string>;

/** The models that an agent may use, by name. */
export class Models {
  readonly #models: ReadonlyMap<string, Model>;
  /** The name of the default model. */
  readonly defaultName: string;

  constructor(model: ModelLike | string, others: Readonly<Record<string, ModelLike>> = {}) {
    const models = new Map(Object.entries(others).map(([name, other]) => [name, toModel(other)]));
    if (typeof model === "string") this.defaultName = model;
    else {
      const main = toModel(model);
      this.defaultName = main.modelId;
      models.set(main.modelId, main);
    }
    this.#models = models;
    this.get(this.defaultName);
  }

  /** The model of a name. Throws `bad_agent` with the known names if there is none. */
  get(name: string): Model {
    const model = this.#models.get(name);
    if (model !== undefined) return model;
    const known = [...this.#models.keys()];
    throw new TenterhookError("bad_agent", `there is no model "${name}".`, {
      hint: known.length === 0 ? "Give the agent a model." : `There are: ${known.join(", ")}.`,
    });
  }
}

function toModel(model: ModelLike): Model {
  const isModel =
    typeof (model as Model)?.generate === "function" && typeof (model as Model).stream === "function";
  return isModel ? (model as Model) : aiSdkModel(model as Exclude<LanguageModel, string>);
}
