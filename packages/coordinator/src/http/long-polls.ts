import type { ServerResponse } from "node:http";
import type { Identity, KnownTokens } from "../access/known-tokens.ts";
import { Problem } from "../problem.ts";

/** The longest wait of a request; proxies tend to cut connections after a minute. */
export const LONGEST_WAIT_SECONDS = 55;

/** The requests that wait for something to happen. */
export class LongPolls {
  readonly #tokens: KnownTokens;
  readonly #most: number;
  readonly #waiting = new Set<AbortController>();
  #isClosing = false;

  constructor(tokens: KnownTokens, most: number) {
    this.#tokens = tokens;
    this.#most = most;
  }

  get count(): number {
    return this.#waiting.size;
  }

  get isFull(): boolean {
    return this.#waiting.size >= this.#most;
  }

  /**
   * Waits on behalf of a client. The signal fires when the client has disconnected, when its token is no longer valid, or when the
   * coordinator closes. A result for an invalid token is given to `takeBack` and not to the client.
   */
  async wait<T>(
    { outgoing, identity }: { readonly outgoing: ServerResponse; readonly identity: Identity },
    waitMs: number,
    wait: (waitMs: number, signal: AbortSignal) => Promise<T>,
    takeBack?: (found: T) => Promise<void>,
  ): Promise<T> {
    if (waitMs > 0 && this.isFull) {
      throw new Problem("unavailable", "too many requests are waiting here already", {
        hint: "Try again in a moment, at another coordinator if there is one.",
      });
    }
    const controller = new AbortController();
    const gone = () => controller.abort();
    outgoing.once("close", gone);
    if (this.#isClosing || outgoing.destroyed) gone();
    this.#waiting.add(controller);
    let isValid = true;
    const unwatch = this.#tokens.watch(identity, () => {
      isValid = false;
      controller.abort();
    });
    try {
      const found = await wait(waitMs, controller.signal);
      if (isValid) return found;
      await takeBack?.(found);
    } finally {
      unwatch();
      this.#waiting.delete(controller);
      outgoing.off("close", gone);
    }
    throw new Problem("unauthenticated", "the token expired or was revoked while the request waited");
  }

  /** Ends all waits now. */
  close(): void {
    this.#isClosing = true;
    for (const controller of this.#waiting) controller.abort();
  }
}

/** Whether a client has disconnected before it had its response. */
export function isGone(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || outgoing.socket === null || outgoing.socket.destroyed;
}
