import type { MatcherLike } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { CallableMatcher } from "./callable-matcher.ts";
import { HookMatcher } from "./hook-matcher.ts";
import { ToolNameMatcher } from "./tool-name-matcher.ts";

type Test = (context: HookContext) => boolean;

/** Ways to say what a hook is asked about: all that the engine has, and predicates that get the builder's context. */
export type MatcherOption = Exclude<MatcherLike, (context: never) => boolean> | Test;

/** A matcher for the engine. */
export function engineMatcher(option: MatcherOption | null | undefined): MatcherLike | undefined {
  if (typeof option === "function") return new CallableMatcher(option);
  return option ?? undefined;
}

/** A matcher that can also be asked without an agent. */
export function hookMatcher(option: string | RegExp | HookMatcher | Test): HookMatcher {
  if (option instanceof HookMatcher) return option;
  return typeof option === "function" ? new CallableMatcher(option) : new ToolNameMatcher(option);
}
