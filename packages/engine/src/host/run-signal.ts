import { type Abortable, AbortListeners, onAbort } from "@tenterhook/internal";

type Signal = AbortSignal | Abortable;

/** The signal of a run, for hosts: it is aborted by the host, or when a signal is that it follows. */
export class RunSignal implements Abortable {
  #aborted = false;
  #reason: unknown;
  readonly #listeners = new AbortListeners();
  /** Made when a real signal is needed, which costs as much as a dispatch. */
  #controller: AbortController | undefined;
  /** The followed signals, by what ends listening to them. */
  readonly #followed = new Map<() => void, Signal>();

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** The same as a real signal. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
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
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listeners.call();
  }

  /** Calls a function when this is aborted, which has not happened yet. Returns the function that removes it. */
  onAbort(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Follows no signal any more: the run has ended. */
  release(): void {
    for (const leave of this.#followed.keys()) leave();
  }
}
