import {
  allOf,
  anyOf,
  type Context,
  eventType,
  type Matcher,
  type MatcherLike,
  predicate,
  toolName,
} from "@tenterhook/engine";
import { type Match, type MatcherFor, matches } from "@tenterhook/engine/internal";
import { contextFor, HookContext, ToolHookContext } from "./contexts.ts";
import { type EngineEvent, engineEvents, type HookEvent } from "./hook-event.ts";

/** Decides whether a hook is called. What cannot be decided should count as matching: then the hook decides. */
export interface HookMatcher {
  matches(context: HookContext): boolean;
}

type Test<C extends HookContext = HookContext> = (context: C) => boolean;

/** What a registration accepts: the engine's matchers, and matchers and predicates that get the builder's context. */
export type MatcherOption = Exclude<MatcherLike, (context: never) => boolean> | HookMatcher | Test;

/** Those of an event; only tool hooks take a tool's name or a pattern. */
export type MatcherOptionFor<E extends HookEvent> = HookEvent extends E
  ? MatcherOption
  : Exclude<MatcherFor<EngineEvent<E>>, (context: never) => boolean> | HookMatcher | Test;

/** A matcher of the engine that can also be asked about one of the builder's contexts, without an agent. */
class BuilderMatcher implements HookMatcher, Matcher {
  readonly description: string;
  readonly needsTool: boolean;
  readonly #matcher: Matcher;

  constructor(matcher: Matcher) {
    this.description = matcher.description;
    this.needsTool = matcher.needsTool;
    this.#matcher = matcher;
  }

  plan(...given: Parameters<Matcher["plan"]>): Match {
    return this.#matcher.plan(...given);
  }

  match(...given: Parameters<Matcher["match"]>): Match {
    return this.#matcher.match(...given);
  }

  matches(context: HookContext): boolean {
    const event = context.engineContext()?.event ?? engineEvents(context.eventType())[0];
    const call = context instanceof ToolHookContext ? context.toolCall() : undefined;
    return matches(this, event, { toolName: call?.name(), toolInput: call?.args() }, context);
  }
}

/** Matches a tool by its name: exactly (`bash`), by glob (`read_*`) or by regular expression (`/^(read|write)_.+$/`). */
export class ToolNameMatcher extends BuilderMatcher {
  constructor(pattern: string | RegExp) {
    super(toolName(pattern));
  }
}

/** Matches some of the events that a hook is registered on. */
export class EventTypeMatcher extends BuilderMatcher {
  constructor(...events: readonly [HookEvent, ...HookEvent[]]) {
    const [first, ...others] = events.flatMap(engineEvents);
    // An empty list, which the types forbid, is rejected by the engine.
    super(eventType(first as EngineEvent, ...others));
  }
}

/** Matches when the function, which gets the builder's context, returns true. `explain` shows the label. */
export class CallableMatcher<C extends HookContext = HookContext> extends BuilderMatcher {
  constructor(test: Test<C>, label: string = test.name || "a predicate") {
    const call = (ctx: unknown) =>
      test((ctx instanceof HookContext ? ctx : contextFor(ctx as Context<EngineEvent>)) as C);
    super(predicate(call, label));
  }
}

/** Several matchers as one. They nest. */
export class CompositeMatcher extends BuilderMatcher {
  /** Matches when all of them do. */
  static and(...parts: readonly [HookMatcher, ...HookMatcher[]]): CompositeMatcher {
    return new CompositeMatcher(allOf(...(parts.map(engineMatcher) as [MatcherLike])));
  }

  /** Matches when any of them does. */
  static or(...parts: readonly [HookMatcher, ...HookMatcher[]]): CompositeMatcher {
    return new CompositeMatcher(anyOf(...(parts.map(engineMatcher) as [MatcherLike])));
  }
}

/** A matcher for the engine. */
export function engineMatcher(option: MatcherOption | null | undefined): MatcherLike | undefined {
  if (typeof option === "function") return new CallableMatcher(option);
  if (isHookMatcher(option) && !(option instanceof BuilderMatcher)) {
    return new CallableMatcher((context) => option.matches(context), option.constructor.name);
  }
  return option ?? undefined;
}

/** A matcher that can be asked without an agent. */
export function hookMatcher(option: string | RegExp | HookMatcher | Test): HookMatcher {
  if (typeof option === "function") return new CallableMatcher(option);
  return isHookMatcher(option) ? option : new ToolNameMatcher(option);
}

function isHookMatcher(option: unknown): option is HookMatcher {
  return typeof (option as Partial<HookMatcher> | null | undefined)?.matches === "function";
}
