/** An error that the user can fix: what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to do, as a sentence. */
  readonly hint: string | undefined;
  /** Further fields for `--json`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, hint?: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.hint = hint;
    this.details = details;
  }
}
