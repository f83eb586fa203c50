import type { Match, Matcher } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";

/** Says whether a hook is asked. A matcher of the engine, which can also be asked by itself. */
export abstract class HookMatcher implements Matcher {
  readonly description: string;
  readonly needsTool: boolean;
  readonly #matcher: Matcher;

  constructor(matcher: Matcher) {
    this.description = matcher.description;
    this.needsTool = matcher.needsTool;
    this.#matcher = matcher;
  }

  /** For use without an agent. What cannot be decided counts as matching. */
  abstract matches(context: HookContext): boolean;

  plan(...given: Parameters<Matcher["plan"]>): Match {
    return this.#matcher.plan(...given);
  }

  match(...given: Parameters<Matcher["match"]>): Match {
    return this.#matcher.match(...given);
  }
}
