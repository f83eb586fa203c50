import { ProblemError } from "../api/problem-error.ts";

/** What went wrong, in one or two sentences. */
export function messageOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const { detail, hint } = error.problem;
    const said = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
    return hint === undefined ? ended(said) : `${ended(said)} ${ended(hint)}`;
  }
  return error instanceof Error ? ended(error.message) : String(error);
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
