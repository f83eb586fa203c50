import type { Outcome } from "./outcomes.ts";

/** What a hook that is not enforced would have done, in words. */
export const WOULD_HAVE = {
  would_block: "would have blocked",
  would_change: "would have changed",
  would_ask: "would have asked",
  would_stop: "would have stopped",
  would_skip: "would have skipped",
  would_recover: "would have recovered",
} as const;

/** A verdict as a person reads it: `block`, `would have blocked`. One that only a newer version knows is its own word. */
export function formatVerdict(verdict: string): string {
  return Object.hasOwn(WOULD_HAVE, verdict) ? WOULD_HAVE[verdict as WouldHave] : verdict;
}

/** The verdict in a trace on a hook that is not enforced and would have done something. */
export type WouldHave = keyof typeof WOULD_HAVE;

/** What an outcome means of a hook that is not enforced; `undefined` when it would have done nothing. `changes`: its patch has effect. */
export function wouldHave(outcome: Outcome, changes: boolean): WouldHave | undefined {
  if (outcome.type !== "proceed") return `would_${outcome.type}`;
  return changes || outcome.context !== undefined ? "would_change" : undefined;
}
