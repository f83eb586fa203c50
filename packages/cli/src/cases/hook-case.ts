/** What a hook's answer amounts to, in the words of its own output; `failed` when it gave none. */
export const CASE_OUTCOMES = ["allow", "deny", "ask", "stop", "failed"] as const;

export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

export interface Expectation {
  readonly outcome: CaseOutcome;
  /** Contained in the reason. */
  readonly reason?: string;
  /** The whole tool input as it must be in the end. */
  readonly toolInput?: unknown;
  /** Contained in what was added for the model. */
  readonly additionalContext?: string;
}

/** One test of a hook: an event, and what must come of it. */
export interface HookCase {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** In wire form. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}
