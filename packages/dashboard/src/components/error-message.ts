import { isRequestError } from "@tenterhook/client";
import { readProblem } from "../api/problem.ts";
import { capitalized } from "./capitalized.ts";

/** The message of an error, with its hint, as sentences. */
export function errorMessage(error: unknown): string {
  const problem = readProblem(error);
  if (problem !== undefined) {
    const { detail, hint } = problem;
    const message = withPeriod(capitalized(detail));
    return hint === undefined ? message : `${message} ${withPeriod(hint)}`;
  }
  if (isRequestError(error)) {
    const { status, message } = error;
    if (status === undefined) return "The coordinator does not respond.";
    if (status < 400) return withPeriod(capitalized(message));
    return `The response was HTTP ${status}, without an explanation. See the log of the coordinator, or of a proxy in front of it.`;
  }
  return error instanceof Error ? withPeriod(error.message) : String(error);
}

/** The message of an error about a field, or about something inside it: `parameters` of `parameters.report`. */
export function errorAt(error: unknown, name: string): string | undefined {
  const field = readProblem(error)?.field;
  return field === name || field?.startsWith(`${name}.`) ? errorMessage(error) : undefined;
}

function withPeriod(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
