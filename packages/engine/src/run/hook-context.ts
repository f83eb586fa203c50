import type { EventName, Immutable, Metadata, Outcome, Payload } from "@tenterhook/protocol";
import type { Scope } from "./scope.ts";

export type { Scope } from "./scope.ts";

/**
 * What a hook is given: the event's fields, and what its run shares. Contexts are never changed; a hook that wants
 * something changed returns `proceed(patch)`, and later hooks get a new context.
 */
export abstract class HookContext<E extends EventName> {
  readonly event: E;
  /** The event's fields as one object. */
  readonly payload: Immutable<Payload<E>>;
  readonly #scope: Scope;

  constructor(event: E, payload: Immutable<Payload<E>>, scope: Scope) {
    this.event = event;
    this.payload = payload;
    this.#scope = scope;
  }

  /** One bag per run, from the first hook to the last. Sync hooks may write to it. */
  get metadata(): Metadata {
    return this.#scope.metadata;
  }

  /** Aborted when the hook's time is up or the run is cancelled. */
  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** True when this hook has judged already and is asked once more, because a later one changed the value. */
  get judging(): boolean {
    return this.#scope.judging;
  }

  /** How the sync hooks ended; only hooks with `always: true` see one. */
  get outcome(): Outcome | undefined {
    return this.#scope.outcome;
  }

  /** A context prints as its fields, though they are getters. */
  toJSON(): unknown {
    return { event: this.event, ...(this.payload as object) };
  }
}

/** The context of an event: its fields, read-only, beside what every context has. */
export type Context<E extends EventName> = E extends EventName
  ? HookContext<E> & Immutable<Payload<E>>
  : never;
