import type { OutputKeeper } from "./run-process.ts";

/** Keeps the first bytes of an output. */
export class OutputHead implements OutputKeeper {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#limit - this.#kept;
    if (room <= 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** There was more than is kept. */
  get isCut(): boolean {
    return this.#total > this.#limit;
  }

  /** As text; bytes that are no UTF-8 become replacement characters. */
  toString(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
