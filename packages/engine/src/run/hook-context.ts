import type { EventName, Immutable, Metadata, Outcome, Payload } from "@tenterhook/protocol";
import { type RunOptions, Scope } from "./scope.ts";

/**
 * What a hook is given: the event's fields, and what its run shares. Contexts are never changed; a hook that wants
 * something changed returns `proceed(patch)`, and later hooks get a new context.
 */
export abstract class HookContext<E extends EventName> {
  readonly event: E;
  /** The event's fields as one object. */
  readonly payload: Immutable<Payload<E>>;
  /** The host's options, until somebody asks for what the run shares. */
  #shared: Scope | RunOptions | undefined;

  constructor(event: E, payload: Immutable<Payload<E>>, shared: Scope | RunOptions | undefined) {
    this.event = event;
    this.payload = payload;
    this.#shared = shared;
  }

  /** What the hooks of a dispatch share; for the engine. */
  static scopeOf(context: HookContext<EventName>): Scope {
    const shared = context.#shared;
    if (shared instanceof Scope) return shared;
    const scope = new Scope(shared);
    context.#shared = scope;
    return scope;
  }

  /** One bag per run, from the first hook to the last. Sync hooks may write to it. */
  get metadata(): Metadata {
    return HookContext.scopeOf(this).metadata;
  }

  /** Aborted when the hook's time is up or the run is cancelled. */
  get signal(): AbortSignal {
    return HookContext.scopeOf(this).signal;
  }

  /** Calls a function when the signal would be aborted, at a tenth of the signal's price. Returns the undo. */
  onAbort(listener: (reason: unknown) => void): () => void {
    return HookContext.scopeOf(this).onAbort(listener);
  }

  /** True when this hook has judged already and is asked once more, because a later one changed the value. */
  get judging(): boolean {
    return HookContext.scopeOf(this).judging;
  }

  /** How the sync hooks ended; only hooks with `always: true` see one. */
  get outcome(): Outcome | undefined {
    return HookContext.scopeOf(this).outcome;
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
