import { type Hooks, internalsOf } from "../hooks.ts";

export { snapshot } from "../answer/snapshot.ts";
export type { RunOptions } from "../context/dispatch-options.ts";
export type { Inheritance } from "../hooks.ts";
export type { Preparation } from "../register/preparations.ts";
export type { AroundOptions, AroundPoint, Operation } from "../run/around.ts";
export { StopGate, type StopGateOptions, type StopVerdict } from "../run/stop-gate.ts";
export type { HookSpan, Instrument, InstrumentOptions, Report } from "../trace/observers.ts";

/**
 * Reserves a position in the order of registration, for hooks that come and go: registered with it (`position`), they stand
 * among equal priorities where they would have stood when it was reserved.
 */
export function reservePosition(hooks: Hooks): number {
  return internalsOf(hooks).reservePosition();
}

/**
 * Whether hooks may still change or refuse what a model answered: then its text cannot be shown while it is written.
 * Sync hooks on `after_llm` and wrappers of the call may, unless they are registered with `observes: true`.
 */
export async function mayChangeAnswer(hooks: Hooks): Promise<boolean> {
  await hooks.prepare("after_llm");
  const judges = hooks.list("after_llm").some(({ mode, observes }) => mode === "sync" && observes !== true);
  return judges || internalsOf(hooks).mayReplaceResult("around_llm");
}
