import { type Abortable, onAbort } from "@tenterhook/internal";

type Signal = AbortSignal | Abortable;

/** The signal of a run, for hosts: it is aborted by the host, or when a signal is that it follows. */
export class RunSignal implements Abortable {
  readonly #controller = new AbortController();
  /** The followed signals, by what ends listening to them. */
  readonly #followed = new Map<() => void, Signal>();

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get reason(): unknown {
    return this.signal.reason;
  }

  /** The same as a real signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  follows(signal: Signal): boolean {
    return [...this.#followed.values()].includes(signal);
  }

  /** Aborts this one when that one is aborted. Returns the function that ends it; `release` ends it for all of them. */
  follow(signal: Signal): () => void {
    const stopListening = onAbort(signal, () => this.abort(signal.reason));
    const leave = () => {
      stopListening();
      this.#followed.delete(leave);
    };
    this.#followed.set(leave, signal);
    return leave;
  }

  abort(reason: unknown): void {
    this.release();
    this.#controller.abort(reason);
  }

  /** Calls a function when this is aborted, which has not happened yet. Returns the function that removes it. */
  onAbort(listener: () => void): () => void {
    return onAbort(this.signal, listener);
  }

  /** Follows no signal any more: the run has ended. */
  release(): void {
    for (const leave of this.#followed.keys()) leave();
  }
}
