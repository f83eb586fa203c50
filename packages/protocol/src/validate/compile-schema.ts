import { shortened } from "../shortened.ts";
import { type Failure, type Place, Run, TooMuchWork } from "./run.ts";
import { type SchemaOptions, SchemaReader } from "./schema-reader.ts";

/** What is wrong with a value, as a sentence, and where that begins: `parameters.items.0`. */
export interface Misfit {
  readonly text: string;
  readonly field: string;
}

/** Says what is wrong with a value that `name` stands for; `undefined` when it fits. Takes bounded time and never throws. */
export type SchemaCheck = (value: unknown, name: string) => Misfit | undefined;

/** A message quotes names and patterns; those of a hostile value or schema may be long. */
const LONGEST_MESSAGE = 200;
const LONGEST_FIELD = 300;

/**
 * Reads a JSON Schema (2020-12), or throws `SchemaProblem`. Schemas and values come from strangers: patterns run in linear time,
 * all work is counted, and a value whose check costs too much does not fit.
 */
export function compileSchema(schema: object, options: SchemaOptions = {}): SchemaCheck {
  const { $schema: _dialect, ...rest } = schema as { readonly $schema?: unknown };
  const fits = new SchemaReader(options).read(rest);
  return (value, name) => {
    const run = new Run();
    try {
      if (fits(value, undefined, run, undefined)) return undefined;
    } catch (error) {
      // The stack's end is one more kind of too much: a value that is nested for tens of thousands of levels.
      if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
      const why = error instanceof TooMuchWork ? error.message : "it is nested too deeply";
      return { text: `${name} cannot be checked: ${why}`, field: name };
    }
    return misfit(run.failures, name);
  };
}

function misfit(failures: readonly Failure[], name: string): Misfit {
  const [first] = failures;
  const text = failures
    .map(({ place, message }) => shortened(`${name}${pointer(place)} ${message}`, LONGEST_MESSAGE))
    .join(", ");
  if (first === undefined) return { text: `${name} does not fit`, field: name };
  const path = [name, ...keys(first.place), ...(first.name === undefined ? [] : [first.name])];
  return { text, field: shortened(path.join("."), LONGEST_FIELD) };
}

function keys(place: Place | undefined): (string | number)[] {
  const found: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) found.push(at.key);
  return found.reverse();
}

function pointer(place: Place | undefined): string {
  return keys(place)
    .map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
