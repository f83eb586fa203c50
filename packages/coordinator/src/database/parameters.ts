/**
 * A parameter of a statement. One rule: **JSON goes in as text** (`JSON.stringify`), and an array is a PostgreSQL array.
 * Objects are refused, because only the column determines whether one is meant as JSON.
 */
export type Parameter =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | null)[];

/** A parameter as PostgreSQL reads it. Everything travels as text and gets its type from the statement. */
export type Text = string | null;

/** Throws a `TypeError` for a value that cannot be a parameter. */
export function parameterText(value: unknown): Text {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "undefined":
      return null;
  }
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(arrayElement).join(",")}}`;
  throw new TypeError(`A ${typeof value} is not a parameter; JSON is passed as text, with JSON.stringify.`);
}

function arrayElement(value: unknown): string {
  const text = parameterText(value);
  // Always in quotes: a bare NULL, a comma or an empty string would be read as something else.
  return text === null ? "NULL" : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
