/**
 * Idempotency keys of requests: the same request has the same key, so that a retry after a lost response does not start a
 * second run.
 */
export class IdempotencyKey {
  #text: string | undefined;
  #key = "";

  of(request: unknown): string {
    const text = JSON.stringify(request);
    if (text !== this.#text) this.#key = newKey();
    this.#text = text;
    return this.#key;
  }
}

/** Not `crypto.randomUUID`, which browsers offer only to pages that were loaded with TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
