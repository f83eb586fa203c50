import type { Condition, Path } from "../../definition/events.ts";

/** The value at a path of a payload; of several paths, at the first that has one. */
export function valueAt(payload: unknown, path: Path): unknown {
  if (typeof path === "string") return follow(payload, path);
  for (const each of path) {
    const value = follow(payload, each);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The value at a path, if it is text. */
export function textAt(payload: unknown, path: Path): string | undefined {
  const value = valueAt(payload, path);
  return typeof value === "string" ? value : undefined;
}

/** The id at a path; a number counts too. Empty when there is none. */
export function idAt(payload: unknown, path: Path): string {
  const value = valueAt(payload, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Whether a payload meets all conditions. */
export function areMet(conditions: readonly Condition[], payload: unknown): boolean {
  return conditions.every(({ path, is }) => {
    const value = follow(payload, path);
    const isPresent = value !== undefined && value !== null;
    switch (is) {
      case "absent":
        return !isPresent;
      case "present":
        return isPresent;
      case "empty":
        return !isPresent || value === "" || (Array.isArray(value) && value.length === 0);
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
