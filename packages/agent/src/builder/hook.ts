import type { MaybePromise } from "@tenterhook/engine/internal";
import type { HookContext } from "./contexts.ts";
import type { HookEvent } from "./hook-event.ts";
import type { HookOutcome } from "./hook-outcome.ts";

/** Runs the hooks further in, at most once, with this context or a changed copy of it. */
export type HookNext = (context: HookContext) => MaybePromise<HookOutcome>;

/**
 * A hook that wraps the ones behind it, for logic that is used in several places. It may throw: in an agent that is a failure
 * of the hook, handled by `onError`; a bare `HookStack` lets the error through.
 */
export interface Hook<C extends HookContext = HookContext> {
  handle(context: C, next: HookNext): MaybePromise<HookOutcome>;
  /** The events that it is for. Registering it only on others is an error. Default: any. */
  readonly events?: readonly HookEvent[] | undefined;
}
