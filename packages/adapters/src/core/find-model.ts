import { ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** The model that a hook chose, of the option `models` of an adapter. */
export function findModel<Model>(models: Readonly<Record<string, Model>> = {}, name: string): Model {
  const model = ownField(models, name);
  if (model !== undefined) return model;
  const problem = `a hook chose the model "${name}", which is not known here.`;
  const hint = `Give it to the adapter, in the option models: { models: { ${JSON.stringify(name)}: … } }.`;
  throw new TenterhookError("unsupported_hook", problem, { event: "before_llm", hint });
}
