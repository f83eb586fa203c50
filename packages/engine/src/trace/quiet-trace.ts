import type { Action, EventName, HookDescriptor, Immutable, Outcome, Payload } from "@tenterhook/protocol";
import type { Times } from "./times.ts";
import { type Trace, TraceEntry } from "./trace.ts";

/** Own and enumerable, so that copies of a trace have entries; one getter for all, so that all traces have one shape. */
const ENTRIES: PropertyDescriptor & ThisType<QuietTrace<EventName>> = {
  get() {
    return QuietTrace.entriesOf(this);
  },
  enumerable: true,
  configurable: true,
};

/**
 * The trace of a timed dispatch in which all hooks were called and none answered. It has the times; the entries are made
 * of them when they are first read, because a listener that counts refusals reads none of them.
 */
export class QuietTrace<E extends EventName> implements Trace<E> {
  readonly event: E;
  readonly original: Immutable<Payload<E>>;
  readonly final: Immutable<Payload<E>>;
  readonly outcome: Outcome;
  readonly action: Action = "go_on";
  declare readonly entries: readonly TraceEntry[];
  readonly #hooks: readonly HookDescriptor[];
  readonly #times: Times;
  #entries: readonly TraceEntry[] | undefined;

  constructor(
    event: E,
    payload: Payload<E>,
    outcome: Outcome,
    hooks: readonly HookDescriptor[],
    times: Times,
  ) {
    this.event = event;
    this.original = payload as Immutable<Payload<E>>;
    this.final = this.original;
    this.outcome = outcome;
    this.#hooks = hooks;
    this.#times = times;
    Object.defineProperty(this, "entries", ENTRIES);
  }

  /** A copy that kept the getter and not the rest, as test frameworks make them, has none. */
  static entriesOf(trace: QuietTrace<EventName>): readonly TraceEntry[] {
    if (!(#entries in trace)) return [];
    trace.#entries ??= quietEntries(trace.#hooks, trace.#times);
    return trace.#entries;
  }
}

/** The entries of a quiet run: every hook was called, and none answered. */
export function quietEntries(hooks: readonly HookDescriptor[], times: Times | undefined): TraceEntry[] {
  return hooks.map((hook, index) => {
    const entry = new TraceEntry(hook);
    if (times !== undefined) {
      entry.durationMs = times.durationOf(index);
      entry.startedAt = times.startOf(index);
    }
    return entry;
  });
}
