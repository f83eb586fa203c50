import { checkJson, messageOf } from "@tenterhook/internal";

/** The most characters of one text, or of one value's JSON, in an event. */
export const MAX_CHARACTERS = 8_000;

/** The beginning of a text, with a note when there is more. */
export function boundedText(text: string, most = MAX_CHARACTERS): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

/** The input of a tool as it is when it is small, else the beginning of its JSON. */
export function boundedInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> | string {
  const value = bounded(input);
  return typeof value === "string" ? value : input;
}

/** A value as it is when it is small, else the beginning of its JSON; what is not JSON becomes text. */
export function bounded(value: unknown, most = MAX_CHARACTERS): unknown {
  if (typeof value === "bigint") return String(value);
  let json: string | undefined;
  try {
    checkJson(value, "it");
    json = JSON.stringify(value);
  } catch (error) {
    // Too deep, a cycle: what a tool returns is its own business. Not `String`, which is recursive for arrays.
    return boundedText(`(not shown: ${messageOf(error)})`, most);
  }
  if (json === undefined) return null;
  if (json.length <= most) return value;
  return boundedText(typeof value === "string" ? value : json, most);
}
