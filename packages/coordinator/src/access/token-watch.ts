import type { Queries } from "../database/database.ts";
import { findValidIds } from "./tokens.ts";

/** How often tokens of open connections are read again. */
const CHECK_MS = 500;

/**
 * Ends open requests, such as streams and long polls, when their token is no longer valid: at once when it was revoked here,
 * and within `CHECK_MS` when it expired or was revoked by another coordinator.
 */
export class TokenWatch {
  readonly #queries: Queries;
  readonly #watched = new Map<string, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** Calls `ended` once when a token is no longer valid. Returns the function that stops watching. */
  watch(tokenId: string, ended: () => void): () => void {
    const callbacks = this.#watched.get(tokenId) ?? new Set();
    callbacks.add(ended);
    this.#watched.set(tokenId, callbacks);
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
    return () => {
      callbacks.delete(ended);
      if (callbacks.size === 0 && this.#watched.get(tokenId) === callbacks) this.#watched.delete(tokenId);
      if (this.#watched.size === 0) this.close();
    };
  }

  end(tokenId: string): void {
    const callbacks = this.#watched.get(tokenId) ?? [];
    this.#watched.delete(tokenId);
    for (const ended of callbacks) ended();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #check(): Promise<void> {
    const ids = [...this.#watched.keys()];
    // While the database is unreachable, these connections cannot read anything either.
    const valid = await findValidIds(this.#queries, ids).catch(() => undefined);
    if (valid === undefined) return;
    for (const id of ids) if (!valid.has(id)) this.end(id);
  }
}
