import type { ProblemBody } from "@tenterhook/protocol/runs";

/** A problem that the coordinator responded with. */
export class ProblemError extends Error {
  readonly problem: ProblemBody;

  constructor(problem: ProblemBody) {
    super(problem.detail);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** There was no response. */
export class UnreachableError extends Error {
  constructor() {
    super("The coordinator does not respond.");
    this.name = "UnreachableError";
  }
}

/** A refused request would be refused again; a failure may be temporary. */
export function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.problem.status >= 500;
}

export function isProblem(error: unknown, code: string): error is ProblemError {
  return error instanceof ProblemError && error.problem.code === code;
}
