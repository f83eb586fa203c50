import { ProblemError } from "../api/problem-error.ts";

/** The message of an error, with its hint, as sentences. */
export function errorMessage(error: unknown): string {
  if (error instanceof ProblemError) {
    const { detail, hint } = error.problem;
    const message = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
    return hint === undefined ? withPeriod(message) : `${withPeriod(message)} ${withPeriod(hint)}`;
  }
  return error instanceof Error ? withPeriod(error.message) : String(error);
}

function withPeriod(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
