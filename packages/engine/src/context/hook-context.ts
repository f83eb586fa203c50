import type { EffectMatch } from "@tenterhook/commands";
import { isThenable, onAbort } from "@tenterhook/internal";
import {
  EVENT_NAMES,
  type EventName,
  type Immutable,
  type Metadata,
  type Outcome,
  type Payload,
} from "@tenterhook/protocol";
import { fieldNames } from "@tenterhook/protocol/internal";
import { textOf } from "../answer/failure.ts";
import type { RunOptions } from "./dispatch-options.ts";

/** What the matcher of a hook matched. */
export interface MatchedEffect extends EffectMatch {
  /** In words: `deletes / recursively (sudo rm -fr /)`. */
  readonly description: string;
}

/** A symbol, so that `payload` is read-only in JavaScript too, at no cost. */
const PAYLOAD = Symbol("payload");
const SHARED = Symbol("shared");
const MATCH = Symbol("match");
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
  declare readonly [PAYLOAD]: Immutable<Payload<E>>;
  /** The host's options, until a hook reads what the run shares. */
  declare [SHARED]: HookRunContext | RunOptions | undefined;
  /** Set for a hook whose matcher has `effect`, on a context of its own. */
  declare [MATCH]?: (() => MatchedEffect | undefined) | undefined;

  constructor(event: E, payload: Immutable<Payload<E>>, shared: HookRunContext | RunOptions | undefined) {
    this.event = event;
    this[PAYLOAD] = payload;
    this[SHARED] = shared;
  }

  /** The event's fields as one object. */
  get payload(): Immutable<Payload<E>> {
    return this[PAYLOAD];
  }

  /** One object per run, from the first hook to the last. Sync hooks may write to it. */
  get metadata(): Metadata {
    return runContextOf(this).metadata;
  }

  /** Aborted when the hook's time is up, or the run is cancelled while the dispatch runs; it does not follow the run after that. */
  get signal(): AbortSignal {
    return runContextOf(this).signal;
  }

  /** Calls a function when the signal would be aborted, at a tenth of the signal's cost. Returns the function that removes it. */
  onAbort(listener: (reason: unknown) => void): () => void {
    return runContextOf(this).onAbort(listener);
  }

  /** True when this hook has judged already and is called once more, because a later one changed the value. */
  get judging(): boolean {
    return runContextOf(this).judging;
  }

  /** What of the call the hook's matcher matched, where that is an effect. */
  get match(): MatchedEffect | undefined {
    return this[MATCH]?.();
  }

  /** How the sync hooks ended; only hooks with `always: true` see one. */
  get outcome(): Outcome | undefined {
    return runContextOf(this).outcome;
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

/** What the hooks of a dispatch share; for the engine. */
export function runContextOf(context: EventContext<EventName>): HookRunContext {
  const shared = context[SHARED];
  if (shared instanceof HookRunContext) return shared;
  const made = new HookRunContext(shared);
  context[SHARED] = made;
  return made;
}

/** The same context for one hook, with what its matcher matched. */
export function contextWithMatch(
  context: EventContext<EventName>,
  match: () => MatchedEffect | undefined,
): EventContext<EventName> {
  const own = newContext(context.event, context.payload, runContextOf(context));
  own[MATCH] = match;
  return own;
}

type ContextClass = new (
  event: EventName,
  payload: unknown,
  shared: HookRunContext | RunOptions | undefined,
) => EventContext<EventName>;

/**
 * The fields that most hooks read, each with a getter of its own. The getters of the other fields share their code, so that a read looks
 * its field up by name: ten hooks that read a field or two took a sixth longer.
 */
const WRITTEN_GETTERS: Readonly<Record<string, PropertyDescriptor>> = Object.getOwnPropertyDescriptors({
  get toolName(): unknown {
    return fieldsOf(this).toolName;
  },
  get toolInput(): unknown {
    return fieldsOf(this).toolInput;
  },
  get toolResult(): unknown {
    return fieldsOf(this).toolResult;
  },
  get messages(): unknown {
    return fieldsOf(this).messages;
  },
});

function fieldsOf(context: object): Readonly<Record<string, unknown>> {
  return (context as EventContext<EventName>)[PAYLOAD] as Readonly<Record<string, unknown>>;
}

const CONTEXTS = Object.fromEntries(EVENT_NAMES.map((event) => [event, contextClass(event)])) as Record<
  EventName,
  ContextClass
>;

/** Makes the context of an event. */
export function newContext<E extends EventName>(
  event: E,
  payload: unknown,
  shared: HookRunContext | RunOptions | undefined,
): Context<E> {
  // Every event has its own class, with the fields of its payload.
  return new CONTEXTS[event](event, payload, shared) as Context<E>;
}

/** A class with a getter per field of the event: a context then costs one small object however many fields its event has. */
function contextClass(event: EventName): ContextClass {
  const EventClass = class extends EventContext<EventName> {};
  const words = event.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  Object.defineProperty(EventClass, "name", { value: `${words.join("")}Context` });
  for (const field of fieldNames(event)) {
    const get = WRITTEN_GETTERS[field]?.get ?? lookUp(field);
    Object.defineProperty(EventClass.prototype, field, { get, configurable: true });
  }
  return EventClass as ContextClass;
}

function lookUp(field: string) {
  return function (this: EventContext<EventName>): unknown {
    return fieldsOf(this)[field];
  };
}

/** What the hooks of one dispatch share. The metadata and the signal are only made when a hook reads them. */
export class HookRunContext {
  readonly options: RunOptions | undefined;
  readonly judging: boolean;
  readonly outcome: Outcome | undefined;
  #metadata: Metadata | undefined;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #unfollowHost: (() => void) | undefined;
  #isReleased = false;
  #listeners: Set<(reason: unknown) => void> | undefined;

  constructor(options: RunOptions | undefined, judging = false, outcome?: Outcome, metadata?: Metadata) {
    this.options = options;
    this.judging = judging;
    this.outcome = outcome;
    this.#metadata = metadata ?? options?.metadata;
  }

  get metadata(): Metadata {
    this.#metadata ??= newMetadata();
    return this.#metadata;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#abortReason !== undefined) controller.abort(this.#abortReason);
      else this.#followHost();
    }
    return this.#controller.signal;
  }

  /** Calls a function when the signal would be aborted: the same at a tenth of its cost. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#abortReason !== undefined) {
      notify(listener, this.#abortReason);
      return () => undefined;
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    this.#followHost();
    return () => this.#listeners?.delete(listener);
  }

  /** Fires the signal of the hooks that hold it. */
  abort(reason: unknown): void {
    this.#abortReason = reason ?? new Error("aborted");
    this.#controller?.abort(this.#abortReason);
    for (const listener of this.#listeners ?? []) notify(listener, this.#abortReason);
    this.release();
  }

  #followHost(): void {
    const host = this.options?.signal;
    if (host === undefined || this.#isReleased || this.#unfollowHost !== undefined) return;
    this.#unfollowHost = onAbort(host, () => this.abort(host.reason));
  }

  /** Stops listening to the host's signal, for good; called when the dispatch is over. */
  release(): void {
    this.#isReleased = true;
    this.#unfollowHost?.();
    this.#unfollowHost = undefined;
  }

  /** The same metadata with a signal of its own. */
  fork(judging = this.judging): HookRunContext {
    return new HookRunContext(this.options, judging, this.outcome, this.metadata);
  }
}

/** Calls a listener of a hook, which may throw: the hook has failed already, and neither the dispatch nor Node must. */
function notify(listener: (reason: unknown) => unknown, reason: unknown): void {
  const failed = (error: unknown) =>
    process.emitWarning(`an abort listener of a hook failed: ${textOf(error)}`, "TenterhookWarning");
  try {
    const answer = listener(reason);
    if (isThenable(answer)) Promise.resolve(answer).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** An object without a prototype, so that a key named `__proto__` or `constructor` is a key like any other. */
export function newMetadata(): Metadata {
  return Object.create(null) as Metadata;
}
