import { allOf, anyOf } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { HookMatcher } from "./hook-matcher.ts";

type Parts = readonly [HookMatcher, ...HookMatcher[]];

/** Several matchers as one. They nest. */
export class CompositeMatcher extends HookMatcher {
  readonly #combined: (context: HookContext) => boolean;

  private constructor(
    ...[matcher, combined]: [...ConstructorParameters<typeof HookMatcher>, (context: HookContext) => boolean]
  ) {
    super(matcher);
    this.#combined = combined;
  }

  /** Matches when all of them do. */
  static and(...parts: Parts): CompositeMatcher {
    return new CompositeMatcher(allOf(...parts), (context) => parts.every((part) => part.matches(context)));
  }

  /** Matches when any of them does. */
  static or(...parts: Parts): CompositeMatcher {
    return new CompositeMatcher(anyOf(...parts), (context) => parts.some((part) => part.matches(context)));
  }

  matches(context: HookContext): boolean {
    return this.#combined(context);
  }
}
