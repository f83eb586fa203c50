import type { RunEvent } from "@tenterhook/protocol/runs";

/** How many events the page keeps. */
export const MAX_EVENTS = 5_000;

export interface LogView {
  readonly events: readonly RunEvent[];
  /** The number of older events that were dropped: with it, the position of an event stays the same. */
  readonly dropped: number;
  /** Changes when events were inserted between others. */
  readonly order: number;
  readonly isPaused: boolean;
  /** The number of events since the pause. */
  readonly pendingCount: number;
}

/** The latest events, in order and without duplicates. While paused, new events are counted and kept for later. */
export class EventLog {
  readonly #subscribers = new Set<() => void>();
  readonly #known = new Set<string>();
  #pending: RunEvent[] = [];
  #view: LogView = { events: [], dropped: 0, order: 0, isPaused: false, pendingCount: 0 };

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  };

  readonly view = (): LogView => this.#view;

  /** Adds events that just happened. */
  addLive(events: readonly RunEvent[]): void {
    const fresh = this.#unknown(events);
    if (fresh.length === 0) return;
    if (!this.#view.isPaused) {
      this.#append(fresh);
      return;
    }
    this.#pending = this.#latest([...this.#pending, ...fresh]);
    this.#setView({ ...this.#view, pendingCount: this.#view.pendingCount + fresh.length });
  }

  /** Adds events that happened before or were missed, also while paused. */
  addHistory(events: readonly RunEvent[]): void {
    const fresh = this.#unknown(events);
    if (fresh.length > 0) this.#insert(fresh);
  }

  pause(): void {
    this.#setView({ ...this.#view, isPaused: true });
  }

  resume(): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#setView({ ...this.#view, isPaused: false, pendingCount: 0 });
    this.#insert(pending);
  }

  #unknown(events: readonly RunEvent[]): RunEvent[] {
    return events.filter(({ id }) => !this.#known.has(id) && this.#known.add(id));
  }

  #append(fresh: readonly RunEvent[]): void {
    this.#show([...this.#view.events, ...fresh]);
  }

  #insert(fresh: readonly RunEvent[]): void {
    this.#view = { ...this.#view, order: this.#view.order + 1 };
    this.#show([...this.#view.events, ...fresh].sort(byCursor));
  }

  #show(events: readonly RunEvent[]): void {
    const dropped = this.#view.dropped + Math.max(0, events.length - MAX_EVENTS);
    this.#setView({ ...this.#view, events: this.#latest(events), dropped });
  }

  /** Drops the oldest events beyond the limit. */
  #latest(events: readonly RunEvent[]): RunEvent[] {
    for (const { id } of events.slice(0, Math.max(0, events.length - MAX_EVENTS))) this.#known.delete(id);
    return events.slice(-MAX_EVENTS);
  }

  #setView(view: LogView): void {
    this.#view = view;
    for (const subscriber of this.#subscribers) subscriber();
  }
}

/** A cursor is two numbers; the first may exceed JavaScript's safe integers. */
function byCursor(a: RunEvent, b: RunEvent): number {
  const [xidA = "0", idA = "0"] = a.id.split("-");
  const [xidB = "0", idB = "0"] = b.id.split("-");
  if (xidA === xidB) return Number(idA) - Number(idB);
  return xidA.length === xidB.length ? (xidA < xidB ? -1 : 1) : xidA.length - xidB.length;
}
