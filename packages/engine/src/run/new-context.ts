import type { EventName } from "@tenterhook/protocol";
import { CONTEXTS } from "../generated/contexts.ts";
import type { Context } from "./hook-context.ts";
import type { Scope } from "./scope.ts";

type AnyContextClass = new (event: EventName, payload: unknown, scope: Scope) => unknown;

/** Makes the context of an event. */
export function newContext<E extends EventName>(event: E, payload: unknown, scope: Scope): Context<E> {
  // The table pairs every event with its own class, which TypeScript cannot follow through an index.
  const ContextOfEvent = CONTEXTS[event] as AnyContextClass;
  return new ContextOfEvent(event, payload, scope) as Context<E>;
}
