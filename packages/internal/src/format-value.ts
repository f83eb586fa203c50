/** A value as an error message names it. */
export function formatValue(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object")
    return `an object with ${Object.keys(value).slice(0, 5).join(", ") || "no fields"}`;
  if (typeof value === "function") return "a function";
  return `${typeof value} ${String(value).slice(0, 60)}`;
}
