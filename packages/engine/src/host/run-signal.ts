import { type Abortable, onAbort } from "@tenterhook/internal";

type Signal = AbortSignal | Abortable;

/** A signal that another one follows. */
interface Followed {
  readonly signal: Signal;
  /** Ends listening to it; absent while it is only read. */
  stopListening: (() => void) | undefined;
}

/**
 * The signal of a run, for hosts: it is aborted by the host, or when a signal is that it follows. A short run must not pay for an
 * `AbortController`: one is created for code that needs a real signal, and the followed signals are listened to only while something
 * listens to this one.
 */
export class RunSignal implements Abortable {
  #isAborted = false;
  #reason: unknown;
  /** Created when they are needed, as the controller is. A list: it has few members, and is read at every event. */
  #followed: Followed[] | undefined;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  get aborted(): boolean {
    if (!this.#isAborted && this.#followed !== undefined) this.#readFollowed(this.#followed);
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.aborted ? this.#reason : undefined;
  }

  /** The same as a real signal. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason);
      else this.#listen();
    }
    return this.#controller.signal;
  }

  follows(signal: Signal): boolean {
    for (const followed of this.#followed ?? []) if (followed.signal === signal) return true;
    return false;
  }

  /** Aborts this one when that one is aborted. Returns the function that ends it; `release` ends it for all of them. */
  follow(signal: Signal): () => void {
    const followed: Followed = { signal, stopListening: undefined };
    this.#followed ??= [];
    this.#followed.push(followed);
    if (this.#isListening) this.#listenTo(followed);
    return () => {
      followed.stopListening?.();
      this.#followed = this.#followed?.filter((other) => other !== followed);
    };
  }

  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.release();
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener();
    this.#listeners?.clear();
  }

  /** Calls a function when this is aborted, which has not happened yet. Returns the function that removes it. */
  onAbort(listener: () => void): () => void {
    // A function of its own: the same listener may have been added before.
    const call = () => listener();
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners;
    listeners.add(call);
    this.#listen();
    return () => {
      listeners.delete(call);
      if (!this.#isListening) this.#stopListening();
    };
  }

  /** Follows no signal any more: the run has ended. */
  release(): void {
    this.#stopListening();
    this.#followed = undefined;
  }

  get #isListening(): boolean {
    return (this.#listeners?.size ?? 0) > 0 || this.#controller !== undefined;
  }

  #readFollowed(followed: readonly Followed[]): void {
    for (const { signal } of followed) if (signal.aborted) this.abort(signal.reason);
  }

  #listen(): void {
    for (const followed of this.#followed ?? [])
      if (followed.stopListening === undefined) this.#listenTo(followed);
  }

  #listenTo(followed: Followed): void {
    const { signal } = followed;
    followed.stopListening = onAbort(signal, () => this.abort(signal.reason));
  }

  #stopListening(): void {
    for (const followed of this.#followed ?? []) {
      followed.stopListening?.();
      followed.stopListening = undefined;
    }
  }
}
