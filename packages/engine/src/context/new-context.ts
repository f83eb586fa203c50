import type { EventName } from "@tenterhook/protocol";
import type { RunOptions } from "./dispatch-options.ts";
import { CONTEXTS } from "./generated/contexts.ts";
import type { Context } from "./hook-context.ts";
import type { HookRunContext } from "./hook-run-context.ts";

type AnyContextClass = new (
  event: EventName,
  payload: unknown,
  shared: HookRunContext | RunOptions | undefined,
) => unknown;

/** Makes the context of an event. */
export function newContext<E extends EventName>(
  event: E,
  payload: unknown,
  shared: HookRunContext | RunOptions | undefined,
): Context<E> {
  // The table pairs every event with its own class, which TypeScript cannot follow through an index.
  const ContextOfEvent = CONTEXTS[event] as AnyContextClass;
  return new ContextOfEvent(event, payload, shared) as Context<E>;
}
