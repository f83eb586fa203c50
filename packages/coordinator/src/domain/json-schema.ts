import { messageOf } from "@tenterhook/protocol";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Schemas come with blueprints, which come and go; this many stay compiled. */
const MOST_COMPILED = 500;

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value by a JSON Schema; `undefined` when it fits. */
export function misfit(schema: object | undefined, value: unknown, dataVar: string): string | undefined {
  if (schema === undefined) return undefined;
  const fits = compile(schema);
  return fits(value) ? undefined : newAjv().errorsText(fits.errors, { dataVar });
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
