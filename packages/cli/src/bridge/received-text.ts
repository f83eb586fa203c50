import { JSON_LIMITS, withoutBom } from "@tenterhook/internal";

/** A longer text is refused, so it is not read. */
const MAX_BYTES = JSON_LIMITS.bytes;

/** The text that a pipe has delivered, and whether it is complete. */
export class ReceivedText {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #checked = 0;
  #isWhole = false;
  #mayBeWhole = false;

  get length(): number {
    return this.#length;
  }

  get isTooLong(): boolean {
    return this.#length > MAX_BYTES;
  }

  /** One complete object, or too long: nothing more is read. */
  get isWhole(): boolean {
    return this.#isWhole || this.isTooLong;
  }

  /** It ends like an object, but was not parsed: a long text is parsed only when it has doubled, or when nothing more comes. */
  get mayBeWhole(): boolean {
    return this.#mayBeWhole;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    this.#mayBeWhole = !this.isTooLong && endsObject(chunk);
    if (this.#mayBeWhole && this.#length >= this.#checked * 2) this.check();
  }

  /** Parses what has come so far. */
  check(): void {
    this.#checked = this.#length;
    this.#mayBeWhole = false;
    try {
      JSON.parse(withoutBom(this.toString()));
      this.#isWhole = true;
    } catch {
      // More has to come.
    }
  }

  get bytes(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    return others.length === 0 ? first : Buffer.concat(this.#chunks);
  }

  toString(): string {
    return this.bytes.toString();
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
