import { unavailable } from "../sql-error.ts";

/** A call that has run for so long waits for something: a lock, or a disk. Statements take a few milliseconds. */
const SLOW_MS = 250;
/** How many calls of a statement that timed out may run at a time. Two, so that one locked row does not stop calls for other rows. */
const MAX_TIMED_OUT = 2;

/** Ends a call. `isTimedOut` if the server gave a statement of it up because it took too long. */
export type Leave = (isTimedOut: boolean) => void;

interface Call {
  readonly key: string;
  isSlow: boolean;
}

interface Waiting {
  readonly key: string;
  admit(leave: Leave): void;
}

/**
 * Decides when a call may have a connection, so that calls which wait for a lock do not delay others. A call that has become slow
 * no longer counts: another one may have a connection besides it. A statement that is slow gets half of the connections, because a
 * distant server may be slow for all of them; one that ran into a time limit when it was last executed gets two. A call is known by its
 * statement, a transaction by its first one.
 */
export class Admission {
  readonly #limit: number;
  readonly #waitMs: number;
  readonly #calls = new Set<Call>();
  /** Statements that ran into a time limit when they were last executed. */
  readonly #timedOut = new Set<string>();
  #waiting: Waiting[] = [];

  /** Admits `limit` calls at a time, and as many slow ones besides. */
  constructor(limit: number, waitMs: number) {
    this.#limit = limit;
    this.#waitMs = waitMs;
  }

  /** Rejects with `store_unavailable` when the call has waited for too long. */
  async enter(key: string): Promise<Leave> {
    if (this.#hasRoom(key)) return this.#begin(key);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        key,
        admit(leave) {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        const seconds = this.#waitMs / 1_000;
        reject(
          unavailable(
            `No connection to the database was free within ${seconds} s: statements wait for a lock there.`,
          ),
        );
      }, this.#waitMs);
      this.#waiting.push(waiting);
    });
  }

  #begin(key: string): Leave {
    const call: Call = { key, isSlow: false };
    this.#calls.add(call);
    const timer = setTimeout(() => {
      call.isSlow = true;
      this.#admit();
    }, SLOW_MS);
    return (isTimedOut) => {
      clearTimeout(timer);
      this.#calls.delete(call);
      if (isTimedOut) this.#timedOut.add(key);
      else this.#timedOut.delete(key);
      this.#admit();
    };
  }

  #admit(): void {
    this.#waiting = this.#waiting.filter((waiting) => {
      if (!this.#hasRoom(waiting.key)) return true;
      waiting.admit(this.#begin(waiting.key));
      return false;
    });
  }

  #hasRoom(key: string): boolean {
    const slow = this.#count(({ isSlow }) => isSlow);
    if (this.#calls.size - Math.min(slow, this.#limit) >= this.#limit) return false;
    return this.#count((call) => call.key === key) < this.#share(key);
  }

  #share(key: string): number {
    if (this.#timedOut.has(key)) return Math.min(MAX_TIMED_OUT, this.#limit);
    const isSlow = this.#count((call) => call.isSlow && call.key === key) > 0;
    return isSlow ? Math.ceil(this.#limit / 2) : this.#limit;
  }

  #count(matches: (call: Call) => boolean): number {
    let count = 0;
    for (const call of this.#calls) if (matches(call)) count++;
    return count;
  }
}
