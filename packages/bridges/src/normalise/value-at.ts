import type { Condition, Path } from "../shape/events.ts";

/** What stands at a path of a payload; of several paths, at the first that has a value. */
export function valueAt(payload: unknown, path: Path): unknown {
  if (typeof path === "string") return follow(payload, path);
  for (const each of path) {
    const value = follow(payload, each);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The same, if it is text. */
export function textAt(payload: unknown, path: Path): string | undefined {
  const value = valueAt(payload, path);
  return typeof value === "string" ? value : undefined;
}

/** Whether all conditions hold for a payload. */
export function holds(conditions: readonly Condition[], payload: unknown): boolean {
  return conditions.every(({ path, is }) => {
    const value = follow(payload, path);
    const isThere = value !== undefined && value !== null;
    switch (is) {
      case "absent":
        return !isThere;
      case "present":
        return isThere;
      case "empty":
        return !isThere || value === "" || (Array.isArray(value) && value.length === 0);
      default:
        return value === is.equals;
    }
  });
}

function follow(payload: unknown, path: string): unknown {
  let value = payload;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
