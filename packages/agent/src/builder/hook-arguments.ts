import type { Hook } from "./hook.ts";
import type { HookEvent } from "./hook-event.ts";
import { type BuilderHookOptions, type Positions, readNamed, readOptions } from "./hook-options.ts";
import type { ContextByEvent } from "./make-context.ts";
import type { MatcherOptionFor } from "./matchers.ts";

/** Event, hook and options in one object, like named arguments. */
export interface HookArguments<E extends HookEvent> extends BuilderHookOptions<MatcherOptionFor<E>> {
  readonly event: E | readonly E[];
  readonly hook: Hook<ContextByEvent[E]>;
}

interface Registration<E extends HookEvent> {
  readonly events: readonly E[];
  readonly hook: unknown;
  readonly options: BuilderHookOptions;
}

const POSITIONS: Positions = {
  before: 2,
  takesMatcher: false,
  write: "(event, hook, 100) or (event, hook, { priority: 100, matcher })",
};

/** Reads all forms of `addHook`: `(event, hook, priority)`, `(event, hook, options)` and `{ event, hook, ...options }`. */
export function readRegistration<E extends HookEvent>(
  given: E | readonly E[] | HookArguments<E>,
  more: readonly unknown[],
): Registration<E> {
  if (isNamed(given)) {
    const { event, hook, ...options } = readNamed([], given, more, "{ event, hook, priority }");
    return { events: [event].flat() as readonly E[], hook, options };
  }
  const events = [given].flat() as readonly E[];
  const [hook, ...rest] = more;
  return { events, hook, options: readOptions(events, rest, POSITIONS) };
}

function isNamed<E extends HookEvent>(given: E | readonly E[] | HookArguments<E>): given is HookArguments<E> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
