import { messageOf } from "@tenterhook/protocol";

/** The coordinator has answered, and will not do what it was asked. The code is stable; the message is for people. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Of something about a run: it is somebody else's by now, or over, or the coordinator has never heard of it. */
  get isLost(): boolean {
    return this.code === "lease_lost" || this.status === 404;
  }
}

/** No answer came: the connection broke, time ran out, or something else answered. Only this is worth another try. */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure";

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/** What a broken connection says about itself; what aborted it is hidden behind "The operation was aborted". */
export function reasonOf(error: unknown): string {
  let first = error;
  while (first instanceof Error && first.cause !== undefined) first = first.cause;
  // A name with several addresses fails once for each, and the list itself has no message.
  return messageOf(first instanceof AggregateError ? first.errors[0] : first);
}
