/** What a tool was asked for, in one short line: the first text of its input, which is nearly always what it is about. */
export function firstWords(input: unknown, most = 80): string | undefined {
  const text = (firstText(input) ?? firstText(input, true))?.trim().replaceAll(/\s+/g, " ");
  if (text === undefined || text === "") return undefined;
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function firstText(value: unknown, orNumber = false): string | undefined {
  // The rest of a long one is not looked at: there may be thousands of these.
  if (typeof value === "string") return value.slice(0, 400);
  if (orNumber && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const each of Object.values(value)) {
    const found = firstText(each, orNumber);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}
