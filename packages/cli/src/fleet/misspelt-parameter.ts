import { nearestWord } from "@tenterhook/internal";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** The parts of a parameters schema that matter here. */
export interface ParametersSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown } | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/**
 * Reports parameters that are not in an agent's schema, but near to one that was not given: with a `UsageError` if the coordinator
 * would refuse them, otherwise with a notice, because an agent may take more than its schema describes.
 */
export function reportMisspelt(agent: string, schema: ParametersSchema, parameters: Parameters): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.keys(properties);
  const free = known.filter((name) => !Object.hasOwn(parameters, name));
  for (const name of Object.keys(parameters).filter((key) => !known.includes(key))) {
    const meant = nearestWord(name, free);
    if (meant === undefined) continue;
    const message = `${agent} has no parameter "${name}"`;
    const hint = `Did you mean ${meant}?`;
    if (additionalProperties === false || required.includes(meant)) {
      throw new UsageError(`${message}.`, `${hint} Its parameters are ${known.join(", ")}.`);
    }
    notify(`${message}. ${hint}`);
  }
}
