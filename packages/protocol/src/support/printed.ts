/** A value as text, such as an attribute of a span: a string as it is, all else as JSON. */
export function printed(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Cyclic, or a BigInt.
    return Object.prototype.toString.call(value);
  }
}
