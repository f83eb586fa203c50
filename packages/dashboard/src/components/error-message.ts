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

function withPeriod(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
