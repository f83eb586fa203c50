import type { EventName, Immutable, Metadata, Outcome, Payload } from "@tenterhook/protocol";
import type { RunOptions } from "./dispatch-options.ts";
import { HookRunContext } from "./hook-run-context.ts";

/** For the generated classes. A symbol, so that `payload` is read-only in JavaScript too, at no cost. */
export const PAYLOAD = Symbol("payload");
const SHARED = Symbol("shared");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * What a hook is given: the event's fields, and what its run shares. Contexts are never changed; a hook that wants
 * something changed returns `proceed(patch)`, and later hooks get a new context.
 *
 * Every dispatch makes one, of a class per event. Its fields are only declared, and none is `#private`: to define fields before the
 * constructor sets them took longer than three hooks.
 */
export abstract class EventContext<E extends EventName> {
  declare readonly event: E;
  declare protected readonly [PAYLOAD]: Immutable<Payload<E>>;
  /** The host's options, until a hook reads what the run shares. */
  declare private [SHARED]: HookRunContext | RunOptions | undefined;

  constructor(event: E, payload: Immutable<Payload<E>>, shared: HookRunContext | RunOptions | undefined) {
    this.event = event;
    this[PAYLOAD] = payload;
    this[SHARED] = shared;
  }

  /** The event's fields as one object. */
  get payload(): Immutable<Payload<E>> {
    return this[PAYLOAD];
  }

  /** What the hooks of a dispatch share; for the engine. */
  static runContextOf(context: EventContext<EventName>): HookRunContext {
    const shared = context[SHARED];
    if (shared instanceof HookRunContext) return shared;
    const made = new HookRunContext(shared);
    context[SHARED] = made;
    return made;
  }

  /** The dispatch is over: stops listening to the host's signal, if a hook has read what the run shares. */
  static release(context: EventContext<EventName>): void {
    if (context[SHARED] instanceof HookRunContext) context[SHARED].release();
  }

  /** One object per run, from the first hook to the last. Sync hooks may write to it. */
  get metadata(): Metadata {
    return EventContext.runContextOf(this).metadata;
  }

  /** Aborted when the hook's time is up, or the run is cancelled while the dispatch runs; it does not follow the run after that. */
  get signal(): AbortSignal {
    return EventContext.runContextOf(this).signal;
  }

  /** Calls a function when the signal would be aborted, at a tenth of the signal's cost. Returns the function that removes it. */
  onAbort(listener: (reason: unknown) => void): () => void {
    return EventContext.runContextOf(this).onAbort(listener);
  }

  /** True when this hook has judged already and is called once more, because a later one changed the value. */
  get judging(): boolean {
    return EventContext.runContextOf(this).judging;
  }

  /** How the sync hooks ended; only hooks with `always: true` see one. */
  get outcome(): Outcome | undefined {
    return EventContext.runContextOf(this).outcome;
  }

  /** A context prints as its fields, though they are getters. */
  toJSON(): unknown {
    return { event: this.event, ...(this.payload as object) };
  }

  /** What `console.log` shows: not what the run shares. */
  [INSPECT](_depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
    return `${this.constructor.name} ${inspect({ event: this.event, payload: this.payload }, options)}`;
  }
}

/** The context of an event: its fields, read-only, beside what every context has. */
export type Context<E extends EventName> = E extends EventName
  ? EventContext<E> & Immutable<Payload<E>>
  : never;
