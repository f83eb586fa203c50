/** A short summary of a tool's input: its first text, which usually identifies the call. */
export function inputSummary(input: unknown, max = 80): string | undefined {
  const text = (firstText(input) ?? firstText(input, true))?.trim().replaceAll(/\s+/g, " ");
  if (text === undefined || text === "") return undefined;
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}

function firstText(value: unknown, orNumber = false): string | undefined {
  // Only the beginning of a long text is processed: there may be thousands of calls.
  if (typeof value === "string") return value.slice(0, 400);
  if (orNumber && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const each of Object.values(value)) {
    const found = firstText(each, orNumber);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}
