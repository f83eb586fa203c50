import { TenterhookError } from "@tenterhook/protocol";
import type { LanguageModel } from "ai";
import { aiSdkModel } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";

/** A model of ours, or one of the AI SDK. */
export type ModelLike = Model | Exclude<LanguageModel, string>;

/** The models that an agent may use, by name. */
export class Models {
  readonly #models: ReadonlyMap<string, Model>;
  /** The name of the one that is asked when nobody says otherwise. */
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

  /** The model of a name; one that is not there is an error that says which are. */
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
  const isOurs =
    typeof (model as Model)?.generate === "function" && typeof (model as Model).stream === "function";
  return isOurs ? (model as Model) : aiSdkModel(model as Exclude<LanguageModel, string>);
}
