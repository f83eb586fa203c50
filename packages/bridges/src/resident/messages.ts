/**
 * What the front and the resident process send to each other: messages of any bytes, each after its length in four bytes, most
 * significant first.
 *
 *     front                                    resident process
 *       request, see `readRequest`         ->
 *                                          <-  PROOF serve NAME, or PROOF cold: then nothing follows
 *       takes the name, see `FrontProcess`
 *       the client's text in pieces        ->
 *       an empty message at its end        ->
 *                                          <-  exit code, standard error, standard output, see `formatAnswer`
 *
 * The answer may come before the end of the text: clients may leave their pipe open. When either side closes the connection early, the
 * call is over: the front decides by the list of known guards, and the resident process ends the hooks.
 */
export function formatMessage(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Longer messages are not of the front: a system starts no process with much more than a megabyte of arguments and environment. */
export const LONGEST_MESSAGE = 4 * 1024 * 1024;

const LENGTH_BYTES = 4;

/** Puts messages together again from what a connection delivers. */
export class MessageReader {
  #received: Buffer = Buffer.alloc(0);
  readonly #longest: number;

  constructor(longest = LONGEST_MESSAGE) {
    this.#longest = longest;
  }

  /** The messages that are complete with this chunk. Throws at one that is too long. */
  add(chunk: Buffer): readonly Buffer[] {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      if (this.#received.length < LENGTH_BYTES) return messages;
      const end = LENGTH_BYTES + this.#received.readUInt32BE();
      if (end > LENGTH_BYTES + this.#longest) throw new Error("a message is too long");
      if (this.#received.length < end) return messages;
      messages.push(this.#received.subarray(LENGTH_BYTES, end));
      this.#received = this.#received.subarray(end);
    }
  }
}
