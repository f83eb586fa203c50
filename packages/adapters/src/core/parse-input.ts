import { isRecord } from "@tenterhook/internal";

/** The input of a tool call, which models write as JSON: an empty object where it is something else. */
export function parseInput(input: unknown): Record<string, unknown> {
  if (isRecord(input)) return input;
  try {
    const parsed: unknown = JSON.parse(String(input));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
