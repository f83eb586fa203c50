/** JSON with its keys in order: two values are equal by JSON Schema when their texts are. */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === undefined ? "" : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
