/** A frame hands on at least this many. */
const MIN_BATCH = 6;
/** A backlog is handed on in about this many frames, however large it is. */
const FRAMES = 30;
/** The browser draws no frames for a tab in the background; there, all is handed on together after this time. */
const HIDDEN_MS = 250;

/** Hands items on a few at a time, once a frame: a burst of events becomes many short tasks instead of a long one. */
export class FrameBatches<T> {
  readonly #deliver: (items: readonly T[]) => void;
  #waiting: T[] = [];
  #frame: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deliver: (items: readonly T[]) => void) {
    this.#deliver = deliver;
  }

  add(items: readonly T[]): void {
    this.#waiting = this.#waiting.concat(items);
    this.#schedule();
  }

  /** Hands everything on at once. */
  flush(): void {
    this.#handOn(this.#waiting.length);
  }

  close(): void {
    this.#waiting = [];
    this.#unschedule();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() =>
      this.#handOn(Math.max(MIN_BATCH, Math.ceil(this.#waiting.length / FRAMES))),
    );
    this.#timer = setTimeout(() => this.flush(), HIDDEN_MS);
  }

  #unschedule(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = undefined;
  }

  #handOn(count: number): void {
    this.#unschedule();
    const items = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#schedule();
    if (items.length > 0) this.#deliver(items);
  }
}
