import { LONGEST_ERROR, shortened } from "@tenterhook/internal";

/** The problems that the coordinator answers with. The codes are stable; the titles are for people. */
export const PROBLEMS = {
  bad_request: { status: 400, title: "Bad request" },
  unauthenticated: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  host_refused: { status: 403, title: "Host not allowed" },
  origin_refused: { status: 403, title: "Origin not allowed" },
  not_found: { status: 404, title: "Not found" },
  unknown_runner: { status: 404, title: "Runner not registered" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  conflict: { status: 409, title: "Conflict" },
  session_busy: { status: 409, title: "Session busy" },
  lease_lost: { status: 409, title: "Lease lost" },
  idempotency_conflict: { status: 409, title: "Idempotency key reused" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  too_large: { status: 413, title: "Payload too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  too_many_requests: { status: 429, title: "Too many requests" },
  unknown_agent: { status: 422, title: "Unknown agent" },
  bad_parameters: { status: 422, title: "Invalid parameters" },
  bad_blueprint: { status: 422, title: "Invalid blueprint" },
  bad_hook: { status: 422, title: "Invalid hook" },
  internal: { status: 500, title: "Internal server error" },
  schema_changed: { status: 503, title: "Service unavailable" },
  unavailable: { status: 503, title: "Service unavailable" },
  no_writes: { status: 503, title: "Service unavailable" },
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
    // It quotes the request, which may be a megabyte.
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

/** The refusal of a name or an id that does not exist. */
export function notFound(
  what: string,
  name: string,
  more?: ConstructorParameters<typeof Problem>[2],
): Problem {
  return new Problem("not_found", `there is no ${what} "${name}"`, more);
}

/** A value that was looked up by a name or an id. Throws when there is none. */
export function requireFound<T>(value: T | undefined, ...what: Parameters<typeof notFound>): T {
  if (value === undefined) throw notFound(...what);
  return value;
}
