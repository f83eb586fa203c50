import type { RunEvent } from "@tenterhook/protocol/runs";
import type { LiveState, StreamReport } from "./event-stream.ts";
import { FrameBatches } from "./frame-batches.ts";
import { joinStream } from "./join-stream.ts";

export interface LiveListener {
  /** Events in order, in small batches. */
  readonly onEvents?: (events: readonly RunEvent[]) => void;
  /** Events were missed, so anything that was read may be stale. */
  readonly onGap?: () => void;
  /** The coordinator refused the stream. */
  readonly onRefused?: () => void;
}

/** The coordinator's events for the parts of this tab. */
export class LiveEvents {
  readonly #listeners = new Set<LiveListener>();
  readonly #subscribers = new Set<() => void>();
  readonly #batches = new FrameBatches<RunEvent>((events) => {
    for (const { onEvents } of this.#listeners) onEvents?.(events);
  });
  #state: LiveState = "connecting";
  #leave: (() => void) | undefined;

  get state(): LiveState {
    return this.#state;
  }

  open(): void {
    this.#leave = joinStream((report) => this.#take(report));
  }

  close(): void {
    this.#leave?.();
    this.#batches.close();
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

  #take(report: StreamReport): void {
    if (report.type === "events") {
      this.#batches.add(report.events);
      return;
    }
    // Reports are in order.
    this.#batches.flush();
    if (report.type === "state") this.#setState(report.state);
    else if (report.type === "gap") for (const { onGap } of this.#listeners) onGap?.();
    else for (const { onRefused } of this.#listeners) onRefused?.();
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const subscriber of this.#subscribers) subscriber();
  }
}
