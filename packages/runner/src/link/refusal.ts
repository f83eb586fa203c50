import { messageOf } from "@tenterhook/internal";

/** The coordinator has answered and refuses the request. The code is stable; the message is for people. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** The store takes no writes from any coordinator: no lease expires, and afterwards every lease begins anew. */
  get isOutage(): boolean {
    return this.code === "no_writes" || this.code === "insufficient_storage";
  }

  /** Of a request about a run: the lease is lost, the run has ended, or the coordinator does not know it. */
  get isLost(): boolean {
    return this.code === "lease_lost" || this.status === 404;
  }
}

/** No answer: the connection broke, the time ran out, or a proxy answered. Only this is retried. */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure";

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

const MOST_CAUSES = 20;

/** The message of the innermost cause; the outer one of an aborted request is only "The operation was aborted". */
export function reasonOf(error: unknown): string {
  let first = error;
  // Causes may be cyclic.
  for (let left = MOST_CAUSES; left > 0 && first instanceof Error && first.cause !== undefined; left--)
    first = first.cause;
  // A name with several addresses fails once for each, and the list itself has no message.
  return messageOf(first instanceof AggregateError ? first.errors[0] : first);
}
