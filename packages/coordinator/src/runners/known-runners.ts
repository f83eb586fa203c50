import { BoundedMap } from "@tenterhook/internal";
import type { Identity } from "../access/known-tokens.ts";
import type { Database } from "../database/database.ts";
import type { RunnerRow } from "../store/rows.ts";
import { checkActsAs, unknownRunner } from "./runner-identity.ts";
import { readRunner, recordSeen } from "./runner-rows.ts";

/** How long a runner is cached: changes by another coordinator, such as draining it, apply here after at most so long. */
const CACHE_MS = 1_000;
/** How often a runner's `seen_at` is written. A write for every poll would be too many. */
const SEEN_MS = 3_000;

interface Known {
  readonly runner: RunnerRow;
  readonly until: number;
  readonly seenAt: number;
}

/** The runners that use this coordinator, cached briefly: an idle one polls continuously. */
export class KnownRunners {
  readonly #database: Database;
  readonly #known = new BoundedMap<string, Known>(10_000);

  constructor(database: Database) {
    this.#database = database;
  }

  /** A runner that has just sent a request, with a token that may act for it. */
  async seen(id: string, identity: Identity): Promise<RunnerRow> {
    const runner = await this.find(id);
    if (runner === undefined) throw unknownRunner(id);
    checkActsAs(identity, runner);
    const now = performance.now();
    const known = this.#known.get(id);
    if (known !== undefined && now - known.seenAt >= SEEN_MS) {
      this.#known.set(id, { ...known, seenAt: now });
      await recordSeen(this.#database, id);
    }
    return runner;
  }

  /** A runner, whether it has sent a request or not. */
  async find(id: string): Promise<RunnerRow | undefined> {
    const now = performance.now();
    const known = this.#known.get(id);
    if (known !== undefined && known.until > now) return known.runner;
    const runner = await readRunner(this.#database, id);
    this.#known.delete(id);
    if (runner === undefined) return undefined;
    const seenAt = known?.seenAt ?? Number.NEGATIVE_INFINITY;
    this.#known.set(id, { runner, until: now + CACHE_MS, seenAt });
    return runner;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
