import { TenterhookError } from "@tenterhook/protocol";
import { type ModelConfig, modelFrom } from "../model/model-config.ts";
import type { ModelLike } from "../model/models.ts";
import { Registry } from "./registry.ts";

/** Models by name, as objects or as configuration. A configured model is created when an agent first needs it. */
export class ModelRegistry extends Registry<ModelLike | ModelConfig> {
  readonly #created = new Map<string, Promise<ModelLike>>();

  constructor() {
    super("model");
  }

  override register(name: string, model: ModelLike | ModelConfig): void {
    if (typeof model !== "string" && (typeof model !== "object" || model === null)) {
      throw new TenterhookError("bad_agent", `the model "${name}" must be a model or its configuration.`, {
        hint: 'Pass a model of the AI SDK, { provider, model }, or "provider:model".',
      });
    }
    super.register(name, model);
  }

  /** A name that is not registered may be the short form of a configuration: `anthropic:claude-…`. */
  override has(name: string): boolean {
    return super.has(name) || /^[^:\s]+:\S+$/.test(name);
  }

  /** The model of a name. Rejects with `bad_agent` when its configuration is invalid. */
  load(name: string): Promise<ModelLike> {
    const registered = this.get(name) ?? name;
    if (isModel(registered)) return Promise.resolve(registered);
    const known = this.#created.get(name);
    if (known !== undefined) return known;
    const created = modelFrom(registered);
    this.#created.set(name, created);
    // The next run may find the key, or the package, that was missing.
    created.catch(() => this.#created.delete(name));
    return created;
  }
}

function isModel(model: ModelLike | ModelConfig): model is ModelLike {
  const { generate, doGenerate } = Object(model) as { generate?: unknown; doGenerate?: unknown };
  return typeof generate === "function" || typeof doGenerate === "function";
}
