import { isRequestError } from "@tenterhook/client";
import type { ProblemBody } from "@tenterhook/protocol/runs";

/** The problem that the coordinator responded with; `undefined` for another error. */
export function readProblem(error: unknown): ProblemBody | undefined {
  return isRequestError(error) ? error.problem : undefined;
}

/** A refused request would be refused again; a failure may be temporary. */
export function isWorthRetrying(error: unknown): boolean {
  return (readProblem(error)?.status ?? 500) >= 500;
}

export function isProblem(error: unknown, code: string): boolean {
  return readProblem(error)?.code === code;
}
