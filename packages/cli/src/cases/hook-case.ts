/** The outcome of a hook, with the names of its own output; `failed` when it gave no valid answer. */
export const CASE_OUTCOMES = ["allow", "deny", "ask", "stop", "failed"] as const;

export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

export interface Expectation {
  readonly outcome: CaseOutcome;
  /** Contained in the reason. */
  readonly reason?: string;
  /** The complete final tool input. */
  readonly toolInput?: unknown;
  /** Contained in the additional context. */
  readonly additionalContext?: string;
}

/** One test of a hook: an event and the expected result. */
export interface HookCase {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** In wire form. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}
