import { hasField, messageOf, retryAfterMs, systemCode, TenterhookError } from "@tenterhook/internal";
import type { ProblemBody } from "@tenterhook/protocol/runs";

/** A failed response, as far as it is known. */
interface Failure {
  /** The HTTP status; `undefined` when there was no response. */
  readonly status?: number | undefined;
  readonly problem?: ProblemBody | undefined;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Statuses of a proxy about the request itself: the same request gets the same response. */
const ABOUT_THE_REQUEST = new Set([400, 413, 414, 422, 431]);

/** The coordinator, or a proxy for it, is busy or restarting, or its disk is full. */
const TRANSIENT = new Set([408, 425, 429, 502, 503, 504, 507]);

// Registered, so that two copies of this package in one process recognise each other's errors.
const MARK = Symbol.for("tenterhook.request-error");

/**
 * A request that failed. `code` is the code of the coordinator's problem; without one it is `coordinator_unreachable`,
 * `request_timeout` or `bad_response`.
 */
export class RequestError extends TenterhookError<string> {
  readonly status: number | undefined;
  /** What the coordinator answered: title, detail, the field of the request, what to do, the id of the error in its log. */
  readonly problem: ProblemBody | undefined;
  /** What the response's `Retry-After` asks for; 0 without one. */
  readonly retryAfterMs: number;

  constructor(code: string, message: string, { status, problem, retryAfterMs = 0, cause }: Failure = {}) {
    super(code, message, { hint: problem?.hint, cause });
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
    Object.defineProperty(this, MARK, { value: true });
  }

  /** Whether the request was refused. Else it is unknown whether the coordinator has received it. */
  get isRefusal(): boolean {
    return this.problem !== undefined || ABOUT_THE_REQUEST.has(this.status ?? 0);
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === undefined || TRANSIENT.has(this.status);
  }
}

/** Recognises errors of any copy of this package, unlike `instanceof`. */
export function isRequestError(value: unknown): value is RequestError {
  return hasField(value, MARK);
}

/** The error of a response that is not a success. One without a problem of the coordinator came from a proxy. */
export function readProblem(response: Response, text: string): RequestError {
  const { status, headers } = response;
  const pauseMs = retryAfterMs(headers.get("retry-after") ?? undefined, Date.now());
  const problem = parseProblem(text);
  if (problem === undefined) {
    const message = `a response of status ${status} did not come from the coordinator`;
    return new RequestError("bad_response", message, { status, retryAfterMs: pauseMs });
  }
  const { code, title = code, detail = title, hint } = problem;
  const message = hint === undefined || /[.!?]$/.test(detail) ? detail : `${detail}.`;
  return new RequestError(code, message, { status, problem, retryAfterMs: pauseMs });
}

function parseProblem(text: string): ProblemBody | undefined {
  try {
    const problem = JSON.parse(text) as Partial<ProblemBody> | null;
    return typeof problem?.code === "string" ? (problem as ProblemBody) : undefined;
  } catch {
    return undefined;
  }
}

const MAX_CAUSES = 20;

/** The message of the innermost cause: that of `fetch` itself is only "fetch failed". */
export function describeCause(error: unknown): string {
  return messageOf(findCause(error));
}

/** The innermost cause in short: its code, such as `ECONNREFUSED`, or its message. */
export function describeFailure(error: unknown): string {
  const cause = findCause(error);
  return systemCode(cause) ?? messageOf(cause);
}

function findCause(error: unknown): unknown {
  let first = error;
  // Causes may be cyclic.
  for (let left = MAX_CAUSES; left > 0 && first instanceof Error && first.cause !== undefined; left--)
    first = first.cause;
  // A name with several addresses fails once for each, and the list itself has no message.
  return first instanceof AggregateError ? first.errors[0] : first;
}
