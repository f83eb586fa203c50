import { BoundedMap } from "@tenterhook/internal";
import {
  compileSchema,
  type SchemaCheck,
  SchemaProblem,
  type Violation,
} from "@tenterhook/internal/validate";

/** The number of compiled schemas that are cached. */
const MAX_COMPILED = 500;

/** What is wrong with a value by a JSON Schema; `undefined` when it fits. */
export function violationText(schema: object | undefined, value: unknown, name: string): string | undefined {
  return findViolation(schema, value, name)?.text;
}

/** What is wrong with a value, and in which field: `parameters.report_id`, `parameters.items.0`. */
export function findViolation(
  schema: object | undefined,
  value: unknown,
  name: string,
): Violation | undefined {
  if (schema === undefined) return undefined;
  const check = compiled(schema);
  return check instanceof SchemaProblem ? unusable(check, name) : check(value, name);
}

/** What is wrong with a JSON Schema itself. */
export function schemaProblem(schema: object): SchemaProblem | undefined {
  const check = compiled(schema);
  return check instanceof SchemaProblem ? check : undefined;
}

/** The blueprint was saved by an older version that allowed more: no value fits the schema until it is corrected. */
function unusable({ message }: SchemaProblem, name: string): Violation {
  return {
    text: `${name} cannot be checked, because the schema in the blueprint cannot be used; save a blueprint without this: ${message}`,
    field: name,
  };
}

const byObject = new WeakMap<object, SchemaCheck | SchemaProblem>();
const byText = new BoundedMap<string, SchemaCheck | SchemaProblem>(MAX_COMPILED);

function compiled(schema: object): SchemaCheck | SchemaProblem {
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  // Blueprints are read again and again from the database, and each time the same schema is another object.
  const key = JSON.stringify(schema);
  const check = byText.get(key) ?? compile(schema);
  byText.set(key, check);
  byObject.set(schema, check);
  return check;
}

function compile(schema: object): SchemaCheck | SchemaProblem {
  try {
    return compileSchema(schema);
  } catch (error) {
    if (error instanceof SchemaProblem) return error;
    throw error;
  }
}
