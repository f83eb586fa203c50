/** What is not written yet may take this much memory; beyond it lines are lost, and that is reported. */
const MAX_PENDING_BYTES = 64 * 1_048_576;

/** Writes lines one batch after another, in the background. It never throws; failures are reported. */
export class Journal {
  readonly #write: (lines: readonly string[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #pending: string[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> | undefined;
  /** A failure is reported once, and again only after a success. */
  #isFailing = false;

  constructor(write: (lines: readonly string[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  add(line: string): void {
    if (this.#pendingBytes + line.length > MAX_PENDING_BYTES) {
      this.#failed(new Error("lines are made faster than they can be written; some are lost"));
      return;
    }
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    this.#writing ??= this.#drain();
  }

  /** Waits until everything that was added before is written, or lost and reported. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #drain(): Promise<void> {
    // The current dispatch comes first; its other lines are then written in the same batch.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const lines = this.#pending;
      this.#pending = [];
      this.#pendingBytes = 0;
      try {
        await this.#write(lines);
        this.#isFailing = false;
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#writing = undefined;
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    try {
      this.#onError(error);
    } catch {
      // A reporter that throws must not cause another failure.
    }
  }
}
