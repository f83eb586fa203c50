import { TenterhookError } from "@tenterhook/protocol";
import { type ModelConfig, modelFrom } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import { Registry } from "./registry.ts";

/** Models by name, as objects or as data. One that is data is made when an agent first needs it, and then kept. */
export class ModelRegistry {
  readonly #registered = new Registry<ModelLike | ModelConfig>("model");
  readonly #made = new Map<string, Promise<ModelLike>>();

  register(name: string, model: ModelLike | ModelConfig): void {
    if (typeof model !== "string" && (typeof model !== "object" || model === null)) {
      throw new TenterhookError("bad_agent", `the model "${name}" must be a model or its configuration.`, {
        hint: 'Give a model of the AI SDK, { provider, model }, or "provider:model".',
      });
    }
    this.#registered.register(name, model);
  }

  problemWith(name: string): string | undefined {
    return this.#registered.problemWith(name);
  }

  /** Names that are not registered stand for a model when they say which: `anthropic:claude-…`. */
  has(name: string): boolean {
    return this.#registered.get(name) !== undefined || isShortForm(name);
  }

  /** The model of a name. Rejects with `bad_agent` when its configuration means none. */
  load(name: string): Promise<ModelLike> {
    const registered = this.#registered.get(name) ?? name;
    if (isModel(registered)) return Promise.resolve(registered);
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const made = modelFrom(registered);
    this.#made.set(name, made);
    // The next run may find the key, or the package, that this one lacked.
    made.catch(() => this.#made.delete(name));
    return made;
  }

  get names(): readonly string[] {
    return this.#registered.names;
  }
}

function isShortForm(name: string): boolean {
  return /^[^:\s]+:\S+$/.test(name);
}

function isModel(model: ModelLike | ModelConfig): model is ModelLike {
  const { generate, doGenerate } = Object(model) as { generate?: unknown; doGenerate?: unknown };
  return typeof generate === "function" || typeof doGenerate === "function";
}
