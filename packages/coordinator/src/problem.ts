/** Every way in which the coordinator refuses what it is asked. The codes are stable; the words are for people. */
export const PROBLEMS = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  session_busy: 409,
  lease_lost: 409,
  idempotency_conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unknown_agent: 422,
  bad_parameters: 422,
  bad_blueprint: 422,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** A refusal: what is wrong, at which field, and what to do about it. */
export class Problem extends Error {
  readonly code: ProblemCode;
  /** Where in the request, as `hooks.on_run_start.agent_name`. */
  readonly field: string | undefined;
  readonly hint: string | undefined;

  constructor(
    code: ProblemCode,
    message: string,
    more: { readonly field?: string; readonly hint?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.field = more.field;
    this.hint = more.hint;
  }

  get status(): number {
    return PROBLEMS[this.code];
  }
}
