import type { RunEvent } from "@tenterhook/protocol/runs";

/** `lost` means that the coordinator is away; what happens meanwhile is told when it is back. */
export type LiveState = "connecting" | "live" | "lost";

export interface LiveListener {
  /** Events in their order, those of a moment together. */
  readonly heard?: (events: readonly RunEvent[]) => void;
  /** What was read before may be wrong: something happened that will not be told. */
  readonly missed?: () => void;
  /** The coordinator answered, and did not let the page follow. */
  readonly refused?: () => void;
}

/** Events of this long are told together, so that a storm of them is a few updates of the page. */
const GATHER_MS = 150;

/** A browser gives up on a stream that was refused; this asks again. */
const REOPEN_MS = 2_000;

/**
 * The coordinator's events, over one connection for the whole page.
 *
 *     connecting ── live ── lost ── live …   and never the same event twice
 */
export class LiveEvents {
  readonly #listeners = new Set<LiveListener>();
  readonly #watchers = new Set<() => void>();
  #source: EventSource | undefined;
  #state: LiveState = "connecting";
  #lastId: string | undefined;
  #gathered: RunEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reopening: ReturnType<typeof setTimeout> | undefined;

  get state(): LiveState {
    return this.#state;
  }

  open(): void {
    const source = new EventSource(this.#lastId === undefined ? "/events" : `/events?after=${this.#lastId}`);
    this.#source = source;
    source.addEventListener("open", () => {
      const isBack = this.#state === "lost";
      this.#become("live");
      // Agents, hooks and runners change without an event.
      if (isBack) for (const { missed } of this.#listeners) missed?.();
    });
    source.addEventListener("message", ({ data, lastEventId }) => {
      this.#lastId = lastEventId;
      this.#gathered.push(JSON.parse(data));
      this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS);
    });
    source.addEventListener("reset", ({ lastEventId }) => {
      this.#lastId = lastEventId;
      for (const { missed } of this.#listeners) missed?.();
    });
    source.addEventListener("error", () => {
      this.#become("lost");
      if (source.readyState !== EventSource.CLOSED) return;
      for (const { refused } of this.#listeners) refused?.();
      clearTimeout(this.#reopening);
      this.#reopening = setTimeout(() => this.open(), REOPEN_MS);
    });
  }

  close(): void {
    this.#source?.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#reopening);
    this.#timer = undefined;
  }

  /** Returns the way to stop listening. */
  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells when the state changes. Returns the way to stop. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  #tell(): void {
    this.#timer = undefined;
    const events = this.#gathered;
    this.#gathered = [];
    for (const { heard } of this.#listeners) heard?.(events);
  }

  #become(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}
