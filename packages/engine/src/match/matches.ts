import type { EventName } from "@tenterhook/protocol";
import { matchAnyName } from "./any-name.ts";
import { type MatcherLike, toMatcher } from "./matcher.ts";
import { PatternBudget } from "./pattern-budget.ts";
import { MatchSubject } from "./subject.ts";

/** Whether a matcher matches a payload, without a set of hooks. What cannot be decided counts as matching. */
export function matches(
  matcher: MatcherLike,
  event: EventName,
  payload: object,
  /** What predicates get. */
  context: unknown = payload,
): boolean {
  return (
    matchAnyName(toMatcher(matcher), new MatchSubject(event, payload, context), new PatternBudget()) !== "no"
  );
}
