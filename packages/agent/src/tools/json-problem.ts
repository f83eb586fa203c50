import { checkJson, isJsonLimit, messageOf } from "@tenterhook/internal";

/** How a value exceeds the limits of JSON; `undefined` if it does not. */
export function jsonProblem(value: unknown, what: string): string | undefined {
  try {
    checkJson(value, what);
    return undefined;
  } catch (error) {
    if (isJsonLimit(error)) return messageOf(error);
    throw error;
  }
}
