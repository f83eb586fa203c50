import type { Queries } from "./database.ts";
import type { Parameter } from "./parameters.ts";

/**
 * A piece of SQL with the values between its texts. For statements whose text depends on the request, such as a list with filters;
 * every other statement is a constant with a name.
 */
export class Fragment {
  readonly texts: readonly string[];
  readonly values: readonly (Parameter | Fragment)[];

  constructor(texts: readonly string[], values: readonly (Parameter | Fragment)[]) {
    this.texts = texts;
    this.values = values;
  }
}

/** SQL with values in it: `` sql`id = ${id}` ``. A value becomes a parameter, a fragment becomes part of the text. */
export function sql(texts: TemplateStringsArray, ...values: (Parameter | Fragment)[]): Fragment {
  return new Fragment(texts, values);
}

/** Text of the coordinator itself, such as the name of a column. Never text of a request. */
export function verbatim(text: string): Fragment {
  return new Fragment([text], []);
}

export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  const between = fragments.slice(1).map(() => separator);
  return new Fragment(fragments.length === 0 ? [""] : ["", ...between, ""], fragments);
}

/** The conjunction of all conditions that are given. */
export function allOf(conditions: readonly (Fragment | undefined)[]): Fragment {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? verbatim("true") : joined(given, " AND ");
}

/** Whether a column has one of the values. */
export function oneOf(column: string, values: readonly string[]): Fragment {
  const list = joined(
    values.map((value) => sql`${value}`),
    ", ",
  );
  return values.length === 0 ? verbatim("false") : sql`${verbatim(column)} IN (${list})`;
}

/** The text with `$1`, `$2`, and the values for them. */
export function composed(fragment: Fragment): { readonly text: string; readonly values: Parameter[] } {
  const values: Parameter[] = [];
  const write = (part: Fragment): string =>
    part.texts.reduce((text, next, index) => {
      const value = part.values[index - 1];
      return `${text}${value instanceof Fragment ? write(value) : `$${values.push(value)}`}${next}`;
    });
  return { text: write(fragment), values };
}

/** Runs a statement that was composed for this request. */
export function runComposed<R>(queries: Queries, fragment: Fragment): Promise<R[]> {
  const { text, values } = composed(fragment);
  return queries.run<R>({ name: "", text }, values);
}
