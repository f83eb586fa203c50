import type { Readable } from "node:stream";

/** Collects a stream up to a limit. What comes after is read and thrown away, so that the writer is not held up. */
export class CappedOutput {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  /** Everything that came, kept or not. */
  total = 0;

  constructor(stream: Readable, limit: number, onData: () => void) {
    this.#limit = limit;
    stream.on("data", (chunk: Buffer) => {
      this.total += chunk.length;
      const room = this.#limit - this.#kept;
      if (room > 0) {
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
        this.#chunks.push(part);
        this.#kept += part.length;
      }
      onData();
    });
    // A pipe that breaks has said all it will say.
    stream.on("error", () => undefined);
  }

  get isCut(): boolean {
    return this.total > this.#limit;
  }

  /** As text; bytes that are no UTF-8 become replacement characters. */
  get text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
