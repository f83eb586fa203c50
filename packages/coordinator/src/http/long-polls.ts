import type { ServerResponse } from "node:http";
import { Problem } from "../problem.ts";

/** The longest that anybody is kept waiting; proxies in between tend to cut at a minute. */
export const LONGEST_WAIT_SECONDS = 55;

/** The requests that wait for something to happen. */
export class LongPolls {
  readonly #most: number;
  readonly #waiting = new Set<AbortController>();
  #isClosing = false;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#waiting.size;
  }

  get isFull(): boolean {
    return this.#waiting.size >= this.#most;
  }

  /** Waits on behalf of a client; the signal fires when the client has gone, or when the coordinator closes. */
  async hold<T>(
    outgoing: ServerResponse,
    waitMs: number,
    wait: (waitMs: number, signal: AbortSignal) => Promise<T>,
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
    try {
      return await wait(waitMs, controller.signal);
    } finally {
      this.#waiting.delete(controller);
      outgoing.off("close", gone);
    }
  }

  /** Lets everybody who waits have their answer now. */
  close(): void {
    this.#isClosing = true;
    for (const controller of this.#waiting) controller.abort();
  }
}

/** Whether a client has hung up before it had its answer. */
export function isGone(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || outgoing.socket === null || outgoing.socket.destroyed;
}
