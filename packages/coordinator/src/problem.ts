import { LONGEST_ERROR, shortened } from "@tenterhook/protocol";

/** Every way in which the coordinator refuses what it is asked. The codes are stable; the words are for people. */
export const PROBLEMS = {
  bad_request: { status: 400, title: "The request cannot be read" },
  unauthenticated: { status: 401, title: "A token is needed" },
  forbidden: { status: 403, title: "The token does not allow this" },
  host_refused: { status: 403, title: "The coordinator does not answer to this name" },
  origin_refused: { status: 403, title: "The request comes from another site" },
  not_found: { status: 404, title: "There is no such thing" },
  unknown_runner: { status: 404, title: "The runner is not registered" },
  method_not_allowed: { status: 405, title: "This cannot be done there" },
  conflict: { status: 409, title: "The state of things does not allow this" },
  session_busy: { status: 409, title: "A run is under way in the session" },
  lease_lost: { status: 409, title: "The run is no longer this runner's" },
  idempotency_conflict: { status: 409, title: "The key was used for another request" },
  precondition_failed: { status: 412, title: "It is not what you expected it to be" },
  too_large: { status: 413, title: "The request is too large" },
  unsupported_media_type: { status: 415, title: "The body is not JSON" },
  unknown_agent: { status: 422, title: "There is no such agent" },
  bad_parameters: { status: 422, title: "The parameters do not fit" },
  bad_blueprint: { status: 422, title: "The blueprint makes no sense" },
  bad_hook: { status: 422, title: "The hook makes no sense" },
  internal: { status: 500, title: "Something went wrong" },
  unavailable: { status: 503, title: "Not now" },
  insufficient_storage: { status: 507, title: "Insufficient storage" },
} as const;

const LONGEST_FIELD = 300;

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
    more: { readonly field?: string | undefined; readonly hint?: string | undefined } = {},
  ) {
    // It quotes what was sent, which may be a megabyte.
    super(shortened(message, LONGEST_ERROR));
    this.code = code;
    this.field = more.field === undefined ? undefined : shortened(more.field, LONGEST_FIELD);
    this.hint = more.hint;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  get title(): string {
    return PROBLEMS[this.code].title;
  }
}
