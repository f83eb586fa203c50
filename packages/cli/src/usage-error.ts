/** The command was not used as it can be: what is wrong, and what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** A sentence. */
  readonly hint: string | undefined;
  /** More that a program may want to know, for `--json`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, hint?: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.hint = hint;
    this.details = details;
  }
}
