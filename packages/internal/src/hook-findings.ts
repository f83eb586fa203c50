/** From when on something about a hook is worth a sentence, on the page and in the terminal. The rules are in docs/dashboard.md. */
export const HOOK_FINDINGS = {
  /** Fewer calls than this say little about what a hook does. */
  fewCalls: 20,
  /** Fewer durations than this say little about how slow a hook is. */
  fewDurations: 5,
  /** From this share of failed calls on, a hook is failing. */
  failingShare: 0.05,
  /** From this time on, in milliseconds, a hook is slow for which an agent waits at every tool call. */
  slowMs: 1_000,
  /** The same, of one for which a run waits once. */
  slowRunHookMs: 10_000,
} as const;
