import type { RunEvent } from "@tenterhook/protocol/runs";

/** `lost`: the coordinator does not respond. Events of that time arrive after reconnecting. */
export type LiveState = "connecting" | "live" | "lost";

export interface LiveListener {
  /** Events in order, in batches. */
  readonly onEvents?: (events: readonly RunEvent[]) => void;
  /** Events were missed, so anything that was read may be stale. */
  readonly onGap?: () => void;
  /** The coordinator refused the stream. */
  readonly onRefused?: () => void;
}

/** Events of this period are delivered together, so that many events cause few updates. */
const BATCH_MS = 150;

/** A browser does not reopen a stream that was refused; this does. */
const REOPEN_MS = 2_000;

/**
 * The coordinator's events, over one connection for the whole page, each event once.
 *
 *     connecting ── live ── lost ── live …
 */
export class LiveEvents {
  readonly #listeners = new Set<LiveListener>();
  readonly #subscribers = new Set<() => void>();
  #source: EventSource | undefined;
  #state: LiveState = "connecting";
  #lastId: string | undefined;
  #batch: RunEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reopening: ReturnType<typeof setTimeout> | undefined;

  get state(): LiveState {
    return this.#state;
  }

  open(): void {
    const source = new EventSource(this.#lastId === undefined ? "/events" : `/events?after=${this.#lastId}`);
    this.#source = source;
    source.addEventListener("open", () => {
      const isReconnected = this.#state === "lost";
      this.#setState("live");
      // Agents, hooks and runners change without an event.
      if (isReconnected) for (const { onGap } of this.#listeners) onGap?.();
    });
    source.addEventListener("message", ({ data, lastEventId }) => {
      this.#lastId = lastEventId;
      this.#batch.push(JSON.parse(data));
      this.#timer ??= setTimeout(() => this.#deliver(), BATCH_MS);
    });
    source.addEventListener("reset", ({ lastEventId }) => {
      this.#lastId = lastEventId;
      for (const { onGap } of this.#listeners) onGap?.();
    });
    source.addEventListener("error", () => {
      this.#setState("lost");
      if (source.readyState !== EventSource.CLOSED) return;
      for (const { onRefused } of this.#listeners) onRefused?.();
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

  /** Returns a function that removes the listener. */
  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when the state changes. Returns a function that unsubscribes. */
  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  };

  #deliver(): void {
    this.#timer = undefined;
    const events = this.#batch;
    this.#batch = [];
    for (const { onEvents } of this.#listeners) onEvents?.(events);
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const subscriber of this.#subscribers) subscriber();
  }
}
