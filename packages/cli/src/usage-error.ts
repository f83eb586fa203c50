/** The command was not used as it can be: what is wrong, and what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** A sentence. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
