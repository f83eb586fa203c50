import { ProblemError } from "../api/problem-error.ts";
import { capitalized } from "./capitalized.ts";

/** The message of an error, with its hint, as sentences. */
export function errorMessage(error: unknown): string {
  if (error instanceof ProblemError) {
    const { detail, hint } = error.problem;
    const message = withPeriod(capitalized(detail));
    return hint === undefined ? message : `${message} ${withPeriod(hint)}`;
  }
  return error instanceof Error ? withPeriod(error.message) : String(error);
}

/** The message of an error about a field, or about something inside it: `parameters` of `parameters.report`. */
export function errorAt(error: unknown, name: string): string | undefined {
  const field = error instanceof ProblemError ? error.problem.field : undefined;
  return field === name || field?.startsWith(`${name}.`) ? errorMessage(error) : undefined;
}

function withPeriod(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
