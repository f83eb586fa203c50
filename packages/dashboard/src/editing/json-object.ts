/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is at `hooks.on_run_start.url`; the empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), value);
}

/** The object with something else at a path. `undefined` takes the field away, and objects that it leaves empty with it. */
export function withValueAt(object: JsonObject, path: string, value: unknown): JsonObject {
  const [key, ...rest] = stepsOf(path);
  if (key === undefined) return isJsonObject(value) ? value : object;
  const { [key]: before, ...others } = object;
  const after =
    rest.length === 0 ? value : withValueAt(isJsonObject(before) ? before : {}, rest.join("."), value);
  const isGone = after === undefined || (rest.length > 0 && isJsonObject(after) && isEmpty(after));
  if (isGone) return others;
  // A field keeps its place among the others: people read the JSON, too.
  return key in object ? { ...object, [key]: after } : { ...others, [key]: after };
}

/** Whether two values are the same JSON, in whatever order their fields stand. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .filter((key) => value[key] !== undefined)
      .map((key) => [key, sorted(value[key])]),
  );
}

function stepsOf(path: string): string[] {
  return path === "" ? [] : path.split(".");
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
