import type { RunEvent } from "@tenterhook/protocol/runs";

/** How many events the page keeps. */
export const MOST_KEPT = 5_000;

export interface LogView {
  readonly events: readonly RunEvent[];
  readonly isPaused: boolean;
  /** How many came while it was paused. */
  readonly heldBack: number;
  /** Older ones were let go of. */
  readonly isCut: boolean;
}

/** The latest events, in their order, each once. While it is paused, what comes is counted and kept for later. */
export class EventLog {
  readonly #watchers = new Set<() => void>();
  readonly #known = new Set<string>();
  #held: RunEvent[] = [];
  #view: LogView = { events: [], isPaused: false, heldBack: 0, isCut: false };

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly view = (): LogView => this.#view;

  /** Takes what happened just now. */
  hear(events: readonly RunEvent[]): void {
    const fresh = this.#unknown(events);
    if (fresh.length === 0) return;
    if (!this.#view.isPaused) {
      this.#show([...this.#view.events, ...fresh]);
      return;
    }
    this.#held = this.#latest([...this.#held, ...fresh]);
    this.#become({ ...this.#view, heldBack: this.#view.heldBack + fresh.length });
  }

  /** Takes what happened before, or was missed; paused or not, for it is no news. */
  recall(events: readonly RunEvent[]): void {
    const fresh = this.#unknown(events);
    if (fresh.length > 0) this.#show([...this.#view.events, ...fresh].sort(byPlace));
  }

  pause(): void {
    this.#become({ ...this.#view, isPaused: true });
  }

  resume(): void {
    const held = this.#held;
    this.#held = [];
    this.#become({ ...this.#view, isPaused: false, heldBack: 0 });
    this.#show([...this.#view.events, ...held].sort(byPlace));
  }

  #unknown(events: readonly RunEvent[]): RunEvent[] {
    return events.filter(({ id }) => !this.#known.has(id) && this.#known.add(id));
  }

  #show(events: readonly RunEvent[]): void {
    const isCut = this.#view.isCut || events.length > MOST_KEPT;
    this.#become({ ...this.#view, events: this.#latest(events), isCut });
  }

  /** Lets go of what is too old to keep. */
  #latest(events: readonly RunEvent[]): RunEvent[] {
    for (const { id } of events.slice(0, Math.max(0, events.length - MOST_KEPT))) this.#known.delete(id);
    return events.slice(-MOST_KEPT);
  }

  #become(view: LogView): void {
    this.#view = view;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Places in the stream are two numbers, the first larger than JavaScript's. */
function byPlace(a: RunEvent, b: RunEvent): number {
  const [xidA = "0", idA = "0"] = a.id.split("-");
  const [xidB = "0", idB = "0"] = b.id.split("-");
  if (xidA === xidB) return Number(idA) - Number(idB);
  return xidA.length === xidB.length ? (xidA < xidB ? -1 : 1) : xidA.length - xidB.length;
}
