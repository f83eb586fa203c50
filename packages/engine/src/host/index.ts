import type { EventName } from "@tenterhook/protocol";
import { type Hooks, internals } from "../hooks.ts";
import type { AroundPoint, WrapperDescriptor } from "../run/around.ts";
import type { HookHost } from "./hook-hosts.ts";

export { snapshot } from "../answer/snapshot.ts";
export type { RunOptions } from "../context/dispatch-options.ts";
export { RunSignal } from "../context/run-signal.ts";
export type { Inheritance } from "../hooks.ts";
export type { Preparation } from "../register/preparations.ts";
export type { AroundOptions, AroundPoint, Operation, WrapperDescriptor } from "../run/around.ts";
export { StopGate, type StopGateOptions, type StopVerdict } from "../run/stop-gate.ts";
export type { HookSpan, Instrument, InstrumentOptions, Report } from "../trace/observers.ts";
export type { HookHost, HostGap, NewRegistration } from "./hook-hosts.ts";

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
 * A promise only if there are sources of hooks.
 */
export function mayChangeAnswer(hooks: Hooks): boolean | Promise<boolean> {
  const mayChange = () =>
    internals.hasDecidingHooks(hooks, "after_llm") || internals.mayReplaceResult(hooks, "around_llm");
  return internals.hasSources(hooks) ? hooks.prepare("after_llm").then(mayChange) : mayChange();
}

/** Whether a hook of the event may change or refuse something. With sources of hooks, `prepare` must be called before. */
export function hasDecidingHooks(hooks: Hooks, event: EventName): boolean {
  return internals.hasDecidingHooks(hooks, event);
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
