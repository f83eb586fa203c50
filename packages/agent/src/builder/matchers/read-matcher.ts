import { allOf, type MatcherLike } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { CallableMatcher } from "./callable-matcher.ts";
import type { HookMatcher } from "./hook-matcher.ts";
import { PlannedMatcher } from "./planned-matcher.ts";
import { ToolNameMatcher } from "./tool-name-matcher.ts";

type Test = (context: HookContext) => boolean;

/** Ways to say what a hook is asked about: those of the engine, and matchers and predicates that get the builder's context. */
export type MatcherOption = Exclude<MatcherLike, (context: never) => boolean> | HookMatcher | Test;

/** A matcher for the engine; none for none. */
export function engineMatcher(option: HookMatcher): MatcherLike;
export function engineMatcher(option: MatcherOption | null | undefined): MatcherLike | undefined;
export function engineMatcher(option: MatcherOption | null | undefined): MatcherLike | undefined {
  if (typeof option === "function") return new CallableMatcher(option);
  if (isHookMatcher(option) && !(option instanceof PlannedMatcher)) {
    return new CallableMatcher((context) => option.matches(context), option.constructor.name);
  }
  return option ?? undefined;
}

/** Where a hook has a matcher and its registration another one, both must match. */
export function bothOf(
  one: MatcherLike | undefined,
  other: MatcherLike | undefined,
): MatcherLike | undefined {
  return one === undefined || other === undefined ? (one ?? other) : allOf(one, other);
}

/** A matcher that can be asked without an agent. */
export function hookMatcher(option: string | RegExp | HookMatcher | Test): HookMatcher {
  if (typeof option === "function") return new CallableMatcher(option);
  return isHookMatcher(option) ? option : new ToolNameMatcher(option);
}

function isHookMatcher(option: unknown): option is HookMatcher {
  return (
    typeof option === "object" &&
    option !== null &&
    "matches" in option &&
    typeof option.matches === "function"
  );
}
