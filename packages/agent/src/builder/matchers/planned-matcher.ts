import type { Match, Matcher } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import type { HookMatcher } from "./hook-matcher.ts";

/** A matcher that is also one of the engine, which plans with it and prints it in words. */
export abstract class PlannedMatcher implements HookMatcher, Matcher {
  readonly description: string;
  readonly needsTool: boolean;
  readonly #matcher: Matcher;

  constructor(matcher: Matcher) {
    this.description = matcher.description;
    this.needsTool = matcher.needsTool;
    this.#matcher = matcher;
  }

  abstract matches(context: HookContext): boolean;

  plan(...given: Parameters<Matcher["plan"]>): Match {
    return this.#matcher.plan(...given);
  }

  match(...given: Parameters<Matcher["match"]>): Match {
    return this.#matcher.match(...given);
  }
}
