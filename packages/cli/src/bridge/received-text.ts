import { JSON_LIMITS } from "@tenterhook/protocol";

/** A longer text is refused, so it is not read. */
const MAX_BYTES = JSON_LIMITS.bytes;
/** After a pause of this length the text may be complete. */
const QUIET_MS = 10;

/** The text that a pipe has delivered, and whether it is complete. */
export class ReceivedText {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #checked = 0;
  #quiet: NodeJS.Timeout | undefined;

  get length(): number {
    return this.#length;
  }

  get isTooLong(): boolean {
    return this.#length > MAX_BYTES;
  }

  /** Adds a chunk; calls `whole` when the text is one complete object, or too long. */
  add(chunk: Buffer, whole: () => void): void {
    clearTimeout(this.#quiet);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const check = () => {
      if (this.isTooLong || this.#isWhole()) whole();
    };
    // A long text is not parsed again and again: only when it has doubled, or when nothing more comes.
    if (this.isTooLong || (endsObject(chunk) && this.#length >= this.#checked * 2)) check();
    else if (endsObject(chunk)) this.#quiet = setTimeout(check, QUIET_MS);
  }

  close(): void {
    clearTimeout(this.#quiet);
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }

  #isWhole(): boolean {
    this.#checked = this.#length;
    try {
      JSON.parse(this.toString());
      return true;
    } catch {
      return false;
    }
  }
}

function endsObject(chunk: Buffer): boolean {
  let at = chunk.length - 1;
  while (at >= 0 && isBlank(chunk[at])) at--;
  return chunk[at] === 0x7d;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
