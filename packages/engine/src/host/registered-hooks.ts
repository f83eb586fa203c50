import { EVENT_NAMES, type EventName } from "@tenterhook/protocol";
import { mayDecide } from "@tenterhook/protocol/internal";
import { type Hooks, internals } from "../hooks.ts";
import type { AroundPoint, HookHost } from "../register/inherited.ts";
import type { WrapperDescriptor } from "../run/around.ts";

/**
 * Reserves a position in the order of registration, for hooks that come and go: registered with it (`position`), they stand
 * among equal priorities where they would have stood when it was reserved.
 */
export function reservePosition(hooks: Hooks): number {
  return internals.reservePosition(hooks);
}

/**
 * Whether hooks may still change or refuse what a model answered: then its text cannot be shown while it is written.
 * Sync hooks on `after_llm` and wrappers of the call may, unless they are registered with `observes: true`, or a hook with `enforce: false`.
 */
export async function mayChangeAnswer(hooks: Hooks): Promise<boolean> {
  await hooks.prepare("after_llm");
  return (
    hasDecidingHooks(hooks, "after_llm") ||
    listWrappers(hooks, "around_llm").some(({ observes }) => !observes)
  );
}

/** Whether a hook of the event may change or refuse something. With sources of hooks, `prepare` must be called before. */
export function hasDecidingHooks(hooks: Hooks, event: EventName): boolean {
  return hooks.list(event).some(mayDecide);
}

/**
 * Adds a host that does not fire every event. It checks later registrations, also those of the inherited sets, and
 * `explain` lists it for the events that it does not fire.
 */
export function addHost(hooks: Hooks, host: HookHost): void {
  internals.addHost(hooks, host);
}

/** Whether the set has sources that register hooks before a dispatch: then `list` may lack some until `prepare` was called. */
export function hasSources(hooks: Hooks): boolean {
  return internals.hasSources(hooks);
}

/** Whether an event may have hooks: some are registered, or there are sources that may register some before a dispatch. */
export function mayHaveHooks(hooks: Hooks, event: EventName): boolean {
  return internals.hasHooks(hooks, event) || internals.hasSources(hooks);
}

/** Whether a point has wrappers. */
export function hasWrappers(hooks: Hooks, point: AroundPoint): boolean {
  return internals.hasWrappers(hooks, point);
}

/** The wrappers of a point, the outermost first. */
export function listWrappers(hooks: Hooks, point: AroundPoint): readonly WrapperDescriptor[] {
  return internals.listWrappers(hooks, point);
}

/** Whether one of these events may have a hook, or the point a wrapper. A source of hooks may register some at any time. */
export function mayHaveOneOf(hooks: Hooks, events: readonly EventName[], point?: AroundPoint): boolean {
  for (const event of events) if (mayHaveHooks(hooks, event)) return true;
  return point !== undefined && hasWrappers(hooks, point);
}

/** Whether the set may have a hook at all. */
export function mayHaveAny(hooks: Hooks): boolean {
  return mayHaveOneOf(hooks, EVENT_NAMES, "around_llm") || hasWrappers(hooks, "around_tool");
}

/**
 * Whether hooks may still change or replace what the model answers, so that its text cannot be shown while it is written: those of
 * `mayChangeAnswer`, and hooks that recover from an error. Ask before each call: hooks may have been registered since the last one.
 */
export async function mayReplaceAnswer(hooks: Hooks): Promise<boolean> {
  if (await mayChangeAnswer(hooks)) return true;
  if (hasSources(hooks)) await hooks.prepare("on_error");
  return hasDecidingHooks(hooks, "on_error");
}
