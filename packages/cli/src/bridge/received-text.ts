import { JSON_LIMITS } from "@tenterhook/protocol";

/** What is longer is not judged, so it need not be read. */
const LONGEST = JSON_LIMITS.bytes;
/** When nothing more has come for so long, what has come may be all. */
const QUIET_MS = 10;

/** What has come through a pipe, and whether that is all of it. */
export class ReceivedText {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #checked = 0;
  #quiet: NodeJS.Timeout | undefined;

  get length(): number {
    return this.#length;
  }

  get isTooLong(): boolean {
    return this.#length > LONGEST;
  }

  /** Takes a chunk; `whole` is called when what was received is one whole object, or too long to be read. */
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
