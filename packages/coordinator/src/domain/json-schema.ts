import { messageOf } from "@tenterhook/protocol";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";

/** Schemas come with blueprints, which come and go; this many stay compiled. */
const MOST_COMPILED = 500;

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value by a JSON Schema; `undefined` when it fits. */
export function misfit(schema: object | undefined, value: unknown, dataVar: string): string | undefined {
  return misfitAt(schema, value, dataVar)?.text;
}

/** What is wrong with a value, and where that begins: `parameters.report_id`, `parameters.items.0`. */
export function misfitAt(
  schema: object | undefined,
  value: unknown,
  dataVar: string,
): { readonly text: string; readonly field: string } | undefined {
  if (schema === undefined) return undefined;
  const fits = compile(schema);
  if (fits(value)) return undefined;
  const [first] = fits.errors ?? [];
  return {
    text: newAjv().errorsText(fits.errors, { dataVar }),
    field: first === undefined ? dataVar : [dataVar, ...pathOf(first)].join("."),
  };
}

/** What is missing, or too much, is named by its own name and not by what it should be in. */
function pathOf({ instancePath, params }: ErrorObject): string[] {
  const names = instancePath
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const own: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof own === "string" ? [...names, own] : names;
}

/** What is wrong with a JSON Schema itself. */
export function schemaProblem(schema: object): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function compile(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const { $schema: _dialect, ...rest } = schema as { readonly $schema?: unknown };
  const made = newAjv().compile(rest);
  if (compiled.size >= MOST_COMPILED) compiled.delete(compiled.keys().next().value ?? key);
  compiled.set(key, made);
  return made;
}

function newAjv(): Ajv2020 {
  return new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
}
