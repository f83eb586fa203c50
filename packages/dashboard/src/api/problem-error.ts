import type { ProblemBody } from "@tenterhook/protocol/runs";

/** A refusal of the coordinator, in its own words. */
export class ProblemError extends Error {
  readonly problem: ProblemBody;

  constructor(problem: ProblemBody) {
    super(problem.detail);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** No answer came at all. */
export class UnreachableError extends Error {
  constructor() {
    super("The coordinator does not answer.");
    this.name = "UnreachableError";
  }
}

/** What is refused is refused again; what broke may have been mended. */
export function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.problem.status >= 500;
}

export function isProblem(error: unknown, code: string): error is ProblemError {
  return error instanceof ProblemError && error.problem.code === code;
}
