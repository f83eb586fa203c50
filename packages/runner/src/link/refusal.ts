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

/** What a broken exchange says about itself; `fetch` hides the reason behind "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // An address with several IPs fails once for each, and the list itself has no message.
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return first instanceof Error && first.message !== "" ? first.message : error.message;
}
