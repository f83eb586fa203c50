import { TenterhookError } from "../errors.ts";

export interface JsonLimits {
  /** How deep objects and arrays may be nested; `[]` is one level, a number none. */
  readonly depth: number;
  /** How long the value may be, written as JSON in UTF-8. */
  readonly bytes: number;
}

/**
 * The limits of every value that comes from outside: a tool's input, a hook's answer, a program's output, a request. What
 * reads such a value later may use recursion. `docs/decisions/2026-11-15-json-limits.md` has the reasons for the numbers.
 */
export const JSON_LIMITS: JsonLimits = { depth: 200, bytes: 32 * 1024 * 1024 };

/** The limits of a document that carries such values: a request's body, an event for a hook's process. */
export const JSON_DOCUMENT_LIMITS: JsonLimits = { ...JSON_LIMITS, depth: JSON_LIMITS.depth + 24 };

/** What exceeds a limit. `what` names the value ("the tool's input"), `measured` says how much there is, and where. */
export function tooDeep(what: string, limits: JsonLimits, measured: string): TenterhookError {
  return new TenterhookError(
    "json_limit",
    `${what} is nested deeper than ${limits.depth} levels: ${measured}.`,
  );
}

export function tooLong(what: string, limits: JsonLimits, measured: string): TenterhookError {
  return new TenterhookError("json_limit", `${what} is longer than ${limits.bytes} bytes: ${measured}.`);
}

const CYCLE = "it contains itself";

export function cyclic(what: string, { depth }: JsonLimits, path: string): TenterhookError {
  const message = `${what} is nested deeper than ${depth} levels: ${CYCLE} at ${path}.`;
  return new TenterhookError("json_limit", message, { cause: CYCLE });
}

/** Whether a value is too deep because it contains itself: only code can make such a value, and no text. */
export function isCyclic(error: unknown): boolean {
  return isJsonLimit(error) && error.cause === CYCLE;
}

export function isJsonLimit(error: unknown): error is TenterhookError {
  return TenterhookError.isInstance(error) && error.code === "json_limit";
}
