import { canonicalJson, isRecord, ownField } from "@tenterhook/internal";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What is at `hooks.on_run_start.url`; the empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  return parseSteps(path).reduce<unknown>((at, key) => (isRecord(at) ? ownField(at, key) : undefined), value);
}

/** The object with another value at a path. `undefined` removes the field, and objects that become empty. */
export function withValueAt(object: JsonObject, path: string, value: unknown): JsonObject {
  const [key, ...rest] = parseSteps(path);
  if (key === undefined) return isRecord(value) ? value : object;
  const { [key]: _before, ...others } = object;
  const before = ownField(object, key);
  const after =
    rest.length === 0 ? value : withValueAt(isRecord(before) ? before : {}, rest.join("."), value);
  const isGone = after === undefined || (rest.length > 0 && isRecord(after) && isEmpty(after));
  if (isGone) return others;
  // A field keeps its position: users also read the JSON.
  return Object.hasOwn(object, key) ? { ...object, [key]: after } : { ...others, [key]: after };
}

/** Whether two values are the same JSON, in any order of fields. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function parseSteps(path: string): string[] {
  return path === "" ? [] : path.split(".");
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
