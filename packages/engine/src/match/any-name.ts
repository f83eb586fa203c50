import type { EventName } from "@tenterhook/protocol";
import { type Matcher, type MatcherLike, toMatcher } from "./matcher.ts";
import { type Match, PatternBudget } from "./pattern.ts";
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

/**
 * Whether a matcher matches a call under one of the tool's names. The whole matcher is evaluated for each name: a matcher that excludes an
 * alias must still match the tool's own name.
 */
export function matchAnyName(matcher: Matcher, subject: MatchSubject, budget: PatternBudget): Match {
  let result = matcher.match(subject, budget);
  for (const alias of subject.toolAliases ?? []) {
    if (result === "yes") return result;
    result = either(result, matcher.match(subject.as(alias), budget));
  }
  return result;
}

/** What a matcher decides from the tool's names alone, and the alias that it goes by where the tool's own name does not match. */
export function planAnyName(
  matcher: Matcher,
  event: EventName,
  toolName: string | undefined,
  aliases: readonly string[],
  budget: PatternBudget,
): { readonly match: Match; readonly matchedAs?: string } {
  const own = matcher.plan(event, toolName, budget);
  const planned = aliases.map((alias) => [alias, matcher.plan(event, alias, budget)] as const);
  const match = planned.reduce((result, [, each]) => either(result, each), own);
  const [matchedAs] = planned.find(([, each]) => each !== "no") ?? [];
  return { match, ...(own === "no" && matchedAs !== undefined && { matchedAs }) };
}

function either(a: Match, b: Match): Match {
  if (a === "yes" || b === "yes") return "yes";
  return a === "unknown" || b === "unknown" ? "unknown" : "no";
}
