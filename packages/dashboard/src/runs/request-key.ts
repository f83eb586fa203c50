/**
 * Keys for requests that must not be carried out twice: the same request has the same key, so that trying again after an
 * answer that got lost does not start a second run.
 */
export class RequestKey {
  #text: string | undefined;
  #key = "";

  of(request: unknown): string {
    const text = JSON.stringify(request);
    if (text !== this.#text) this.#key = newKey();
    this.#text = text;
    return this.#key;
  }
}

/** Not `crypto.randomUUID`, which browsers keep from pages that came without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
