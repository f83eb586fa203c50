import { allOf, anyOf, type MatcherLike } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import type { HookMatcher } from "./hook-matcher.ts";
import { PlannedMatcher } from "./planned-matcher.ts";
import { engineMatcher } from "./read-matcher.ts";

type Parts = readonly [HookMatcher, ...HookMatcher[]];

/** Several matchers as one. They nest. */
export class CompositeMatcher extends PlannedMatcher {
  readonly #combined: (context: HookContext) => boolean;

  private constructor(
    matcher: ConstructorParameters<typeof PlannedMatcher>[0],
    combined: (context: HookContext) => boolean,
  ) {
    super(matcher);
    this.#combined = combined;
  }

  /** Matches when all of them do. */
  static and(...parts: Parts): CompositeMatcher {
    const all = (context: HookContext) => parts.every((part) => part.matches(context));
    return new CompositeMatcher(allOf(...planned(parts)), all);
  }

  /** Matches when any of them does. */
  static or(...parts: Parts): CompositeMatcher {
    const any = (context: HookContext) => parts.some((part) => part.matches(context));
    return new CompositeMatcher(anyOf(...planned(parts)), any);
  }

  matches(context: HookContext): boolean {
    return this.#combined(context);
  }
}

function planned(parts: Parts): readonly [MatcherLike, ...MatcherLike[]] {
  // As many as went in; none at all, which the types forbid, is refused by the engine.
  return parts.map(engineMatcher) as unknown as readonly [MatcherLike, ...MatcherLike[]];
}
