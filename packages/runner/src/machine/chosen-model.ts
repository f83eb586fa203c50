import { type Model, type ModelConfig, type ModelLike, modelFrom } from "@tenterhook/agent";
import { TenterhookError } from "@tenterhook/protocol";
import type { Blueprint } from "@tenterhook/protocol/runs";
import type { Machine } from "./machine.ts";

/** A model, and the others that hooks may choose instead. */
export interface ChosenModel {
  readonly model: ModelLike | string;
  readonly models: Readonly<Record<string, ModelLike>>;
}

/**
 * The model that a blueprint means: one of the machine by its name, else a configuration. Models are made anew for each
 * run, so that a script begins at its beginning. Rejects with `bad_agent` when there is none.
 */
export async function chosenModel(
  wanted: Blueprint["model"],
  { models, env }: Pick<Machine, "models" | "env">,
): Promise<ChosenModel> {
  const isNamed = typeof wanted === "string" && Object.hasOwn(models, wanted);
  if (!isNamed) {
    if (typeof wanted === "string" && !wanted.includes(":")) throw unknownModel(wanted, Object.keys(models));
    // Whatever it is, it is read by the rules for configurations, which name the field that is wrong.
    const model = await modelFrom(wanted as ModelConfig, env);
    return { model, models: await usable(models, env) };
  }
  const own = models[wanted] as ModelConfig | ModelLike;
  const others = Object.fromEntries(Object.entries(models).filter(([name]) => name !== wanted));
  return { model: wanted, models: { ...(await usable(others, env)), [wanted]: await made(own, env) } };
}

/** A model whose key is missing must not fail a run that does not use it. */
async function usable(models: Machine["models"], env: Machine["env"]): Promise<Record<string, ModelLike>> {
  const tried = await Promise.allSettled(
    Object.entries(models).map(async ([name, model]) => [name, await made(model, env)] as const),
  );
  return Object.fromEntries(tried.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
}

async function made(model: ModelConfig | ModelLike, env: Machine["env"]): Promise<ModelLike> {
  return isModel(model) ? model : modelFrom(model, env);
}

/** Our models have `generate`, those of the AI SDK `doGenerate`; a configuration has neither. */
function isModel(model: ModelConfig | ModelLike): model is ModelLike {
  const { generate, doGenerate } = Object(model) as Partial<Model> & { readonly doGenerate?: unknown };
  return typeof generate === "function" || typeof doGenerate === "function";
}

function unknownModel(name: string, known: readonly string[]): TenterhookError {
  return new TenterhookError("bad_agent", `this runner has no model "${name}".`, {
    hint:
      known.length === 0
        ? 'Add it to "models" in the runner\'s configuration.'
        : `It has: ${known.join(", ")}.`,
  });
}
