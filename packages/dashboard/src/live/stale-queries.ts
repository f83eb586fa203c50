import type { QueryClient } from "@tanstack/react-query";
import { pause } from "@tenterhook/internal";

/** The pause between two rounds of invalidation. */
const ROUND_MS = 400;

/**
 * Invalidates the queries that events made stale: visible data is read at once, the rest when it is shown again. One round at a
 * time, so that many events cannot keep cancelling the requests.
 */
export class StaleQueries {
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
      await pause(ROUND_MS);
    }
    this.#round = undefined;
  }
}
