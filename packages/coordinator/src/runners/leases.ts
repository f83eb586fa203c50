import { BoundedMap } from "@tenterhook/internal";
import type { Identity } from "../access/known-tokens.ts";
import type { Database, Statement } from "../database/database.ts";
import { Problem } from "../problem.ts";
import type { KnownRunners } from "./known-runners.ts";
import { checkActsAs } from "./runner-identity.ts";

const HOLDER: Statement = {
  name: "lease-holder",
  text: "SELECT runner_id FROM runs WHERE id = $1 AND lease_token = $2",
};

/**
 * Which runner a lease was given to. A lease's token is made for one claim and never changes its runner, so a cached entry
 * is never outdated: a report on a run that was claimed here needs no statement.
 */
export class Leases {
  readonly #database: Database;
  readonly #runners: KnownRunners;
  readonly #holders = new BoundedMap<string, string>(10_000);

  constructor(database: Database, runners: KnownRunners) {
    this.#database = database;
    this.#runners = runners;
  }

  /** Notes to which runner a lease was given. */
  note(runId: string, leaseToken: string, runnerId: string): void {
    this.#holders.set(`${runId} ${leaseToken}`, runnerId);
  }

  /** Refuses a request about a run that was given to a runner of another token. */
  async check(identity: Identity, runId: string, leaseToken: string): Promise<void> {
    if (identity.scope === "admin") return;
    const runnerId = await this.holder(runId, leaseToken);
    // A request with an unknown lease changes nothing: it is answered as lost.
    const runner = runnerId === undefined ? undefined : await this.#runners.find(runnerId);
    // A runner that registered before tokens were stored registers again soon; until then the lease is enough.
    if (runner !== undefined && runner.registered_with !== null) checkActsAs(identity, runner);
  }

  /** The runner that a run's lease was given to; `undefined` when there is no such lease. */
  async holder(runId: string, leaseToken: string): Promise<string | undefined> {
    const known = this.#holders.get(`${runId} ${leaseToken}`);
    if (known !== undefined) return known;
    const [row] = await this.#database.run<{ runner_id: string | null }>(HOLDER, [runId, leaseToken]);
    if (row === undefined || row.runner_id === null) return undefined;
    this.note(runId, leaseToken, row.runner_id);
    return row.runner_id;
  }
}

/** The response to a request with a lost lease. */
export function lost(id: string): Problem {
  return new Problem("lease_lost", `the run "${id}" is no longer this runner's, so nothing was changed`, {
    hint: "Stop working on it, and report nothing more about it.",
  });
}
