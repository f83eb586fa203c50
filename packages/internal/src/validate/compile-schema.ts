import { shortened } from "../text.ts";
import { type SchemaOptions, SchemaReader } from "./schema-reader.ts";
import { type Failure, type Location, TooMuchWork, Validation } from "./validation.ts";

/** What is wrong with a value, as a sentence, and where that begins: `parameters.items.0`. */
export interface Violation {
  readonly text: string;
  readonly field: string;
}

/** What is wrong with a value, which `name` names; `undefined` when it fits. Takes bounded time and never throws. */
export type SchemaCheck = (value: unknown, name: string) => Violation | undefined;

/** A message quotes names and patterns; those of a hostile value or schema may be long. */
const LONGEST_MESSAGE = 200;
const LONGEST_FIELD = 300;

/**
 * Reads a JSON Schema (2020-12), or throws `SchemaProblem`. Schemas and values are not trusted: patterns run in linear time,
 * all work is counted, and a value whose check costs too much does not fit.
 */
export function compileSchema(schema: object, options: SchemaOptions = {}): SchemaCheck {
  const { $schema: _dialect, ...rest } = schema as { readonly $schema?: unknown };
  const fits = new SchemaReader(options).read(rest);
  return (value, name) => {
    const validation = new Validation();
    try {
      if (fits(value, undefined, validation, undefined)) return undefined;
    } catch (error) {
      // The stack overflows on a value that is nested tens of thousands of levels deep.
      if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
      const why = error instanceof TooMuchWork ? error.message : "it is nested too deeply";
      return { text: `${name} cannot be checked: ${why}`, field: name };
    }
    return describeFailures(validation.failures, name);
  };
}

function describeFailures(failures: readonly Failure[], name: string): Violation {
  const [first] = failures;
  const text = failures
    .map(({ location, message }) => shortened(`${name}${pointer(location)} ${message}`, LONGEST_MESSAGE))
    .join(", ");
  if (first === undefined) return { text: `${name} does not fit`, field: name };
  const path = [name, ...keys(first.location), ...(first.name === undefined ? [] : [first.name])];
  return { text, field: shortened(path.join("."), LONGEST_FIELD) };
}

function keys(location: Location | undefined): (string | number)[] {
  const found: (string | number)[] = [];
  for (let at = location; at !== undefined; at = at.parent) found.push(at.key);
  return found.reverse();
}

function pointer(location: Location | undefined): string {
  return keys(location)
    .map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
