import type { QueryClient } from "@tanstack/react-query";

/** Between two rounds of reading again. */
const ROUND_MS = 400;

/**
 * Reads again what events made stale: what is on the screen at once, all else when it is next shown. One round at a time, so
 * that a storm of events cannot cancel every answer before it comes.
 */
export class Staleness {
  readonly #client: QueryClient;
  #keys = new Map<string, readonly string[]>();
  #round: Promise<void> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  add(keys: readonly (readonly string[])[]): void {
    for (const key of keys) this.#keys.set(key.join(" "), key);
    if (this.#keys.size > 0) this.#round ??= this.#rounds();
  }

  async #rounds(): Promise<void> {
    while (this.#keys.size > 0) {
      const keys = [...this.#keys.values()];
      this.#keys = new Map();
      await Promise.all(keys.map((queryKey) => this.#client.invalidateQueries({ queryKey })));
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
    this.#round = undefined;
  }
}
