import type { Database } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { type RunnerRow, readRunner, seeRunner } from "./runner-rows.ts";

/** What another coordinator changed about a runner, such as that it is draining, counts here after at most so long. */
const TRUSTED_MS = 1_000;
/** How often it is written down that a runner is there. Every poll would be a write of one row by many. */
const SEEN_MS = 3_000;
const MOST_TRUSTED = 10_000;

interface Known {
  readonly runner: RunnerRow;
  readonly until: number;
  readonly seenAt: number;
}

/** The runners that talk to this coordinator, remembered for a moment: an idle one asks again and again. */
export class KnownRunners {
  readonly #database: Database;
  readonly #known = new Map<string, Known>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** A runner that has just made itself heard. */
  async heard(id: string): Promise<RunnerRow> {
    const now = performance.now();
    const known = this.#known.get(id);
    if (known !== undefined && known.until > now) return known.runner;
    const isSeen = known !== undefined && now - known.seenAt < SEEN_MS;
    const runner = await (isSeen ? readRunner(this.#database, id) : seeRunner(this.#database, id));
    if (runner === undefined) {
      this.#known.delete(id);
      throw new Problem("unknown_runner", `there is no runner "${id}"`, {
        hint: "Register it first: POST /runner/register.",
      });
    }
    if (this.#known.size >= MOST_TRUSTED) this.#known.delete(this.#known.keys().next().value ?? id);
    this.#known.set(id, { runner, until: now + TRUSTED_MS, seenAt: isSeen ? known.seenAt : now });
    return runner;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
