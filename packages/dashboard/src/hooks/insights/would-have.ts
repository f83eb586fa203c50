import { WOULD_HAVE } from "@tenterhook/protocol";

/** `would have blocked` without its first words, by verdict. */
export const VERBS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WOULD_HAVE).map(([verdict, text]) => [verdict, text.replace("would have ", "")]),
);

export interface WouldHaveCount {
  readonly calls: number;
  /** What the hook would have done, the most frequent first. */
  readonly verdicts: readonly { readonly verdict: string; readonly count: number }[];
}

/** Counts the calls of a hook, and those in which it would have done something. */
export function countWouldHave(decisions: Readonly<Record<string, number>>): WouldHaveCount {
  const counted = Object.entries(decisions).map(([verdict, count]) => ({ verdict, count }));
  return {
    calls: counted.reduce((sum, { count }) => sum + count, 0),
    verdicts: counted
      .filter(({ verdict, count }) => verdict.startsWith("would_") && count > 0)
      .sort((a, b) => b.count - a.count || (a.verdict < b.verdict ? -1 : 1)),
  };
}
