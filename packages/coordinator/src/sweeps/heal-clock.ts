import type { Database, Statement } from "../database/database.ts";
import { isUnavailable } from "../database/sql-error.ts";
import { CALLERS_GRACE_SECONDS, type Limits } from "../domain/limits.ts";

const from = (seconds: string) => `now() + make_interval(secs => ${seconds})`;
/** SQL for a time that is further ahead than it can have been set. */
const isTooFar = (column: string, seconds: string) => `${column} > ${from(`${seconds} + 1`)}`;
const clamped = (column: string, seconds: string) =>
  `${column} = CASE WHEN ${isTooFar(column, seconds)} THEN ${from(seconds)} ELSE ${column} END`;

const HOOK_SECONDS = `greatest($2, (definition->>'timeout_seconds')::int + ${CALLERS_GRACE_SECONDS})`;
/** The pause before the next call of a hook's URL; a hook that was not called yet has none. */
const PAUSE_SECONDS = "coalesce((waiting->>'pause_seconds')::float8, 0)";

// The clock of the database was set back after these times were set. Each is set anew from now, so it ends after one lease,
// or one timeout. A second more is allowed, because transactions of the same moment see each other's times.
const CLAMP: Statement = {
  name: "clamp-times",
  text: `
    WITH held AS (
      UPDATE runs SET ${clamped("lease_until", "$1")}, ${clamped("deadline_at", "timeout_seconds")}
      WHERE lease_until IS NOT NULL
        AND (${isTooFar("lease_until", "$1")} OR ${isTooFar("deadline_at", "timeout_seconds")})
    ), hooks AS (
      UPDATE run_hooks SET ${clamped("lease_until", "$1")}, ${clamped("deadline_at", HOOK_SECONDS)},
        due_at = CASE WHEN ${isTooFar("due_at", PAUSE_SECONDS)} THEN now() ELSE due_at END
      WHERE finished_at IS NULL
        AND (${isTooFar("lease_until", "$1")} OR ${isTooFar("deadline_at", HOOK_SECONDS)}
          OR ${isTooFar("due_at", PAUSE_SECONDS)})
    ), questions AS (
      UPDATE approvals SET expires_at = ${from("$3")}
      WHERE state = 'pending' AND ${isTooFar("expires_at", "$3")}
    ), seen AS (UPDATE runners SET seen_at = now() WHERE seen_at > ${from("1")})
    SELECT extract(epoch FROM now())::float8 AS now`,
};

const RENEW_RUNS = `
    seen AS (UPDATE runners SET seen_at = now() WHERE gone_at IS NULL)
    UPDATE runs SET lease_until = ${from("$1")} WHERE lease_until IS NOT NULL AND lease_until < ${from("$1")}`;

/** Which leases begin anew: those of runners, or also those of coordinators, which call hooks. */
type Renewal = "runs" | "all";

const RENEWALS: Readonly<Record<Renewal, Statement>> = {
  runs: { name: "renew-leases-of-runs", text: `WITH ${RENEW_RUNS}` },
  all: {
    name: "renew-all-leases",
    text: `
    WITH hooks AS (
      UPDATE run_hooks SET lease_until = ${from("$1")}
      WHERE finished_at IS NULL AND lease_until < ${from("$1")}
    ), ${RENEW_RUNS}`,
  },
};

/** How much the database's clock may gain on ours between two reads. */
const SLACK_SECONDS = 1;
/** Longer than the statement takes on a busy machine. */
const SLOW_MS = 1_000;

/**
 * Corrects leases and deadlines when the database's clock is changed, and when leases could not be renewed. When the clock was set back,
 * times that are too far ahead are set anew. When it was set forward, after this machine has slept, and after the database took no writes,
 * every lease is renewed: live runners renew theirs further, and the others are lost one lease later. When this coordinator has started
 * it cannot know whether that is due, and renews those of runners: a hook that a killed coordinator has claimed should not wait longer.
 */
export class LeaseHealer {
  #last: { readonly now: number; readonly askedAt: number } | undefined;
  #due: Renewal | undefined;
  #refusals = 0;

  /** `hasStarted`: this coordinator has just started, and cannot know whether leases could be renewed before. */
  constructor({ hasStarted = false } = {}) {
    this.#due = hasStarted ? "runs" : undefined;
  }

  /** Whether nothing has happened since `heal` that it would correct, as far as is known here. */
  isCurrent({ writes }: Database): boolean {
    return this.#due === undefined && writes.refusals === this.#refusals;
  }

  /** Call it before a search for overdue rows. */
  async heal(database: Database, { leaseSeconds, hookWaitSeconds, approvalSeconds }: Limits): Promise<void> {
    const askedAt = performance.now();
    const { refusals } = database.writes;
    if (refusals !== this.#refusals) this.#due = "all";
    try {
      const values = [leaseSeconds, hookWaitSeconds, approvalSeconds];
      const [row] = await database.run<{ now: number }>(CLAMP, values);
      if (row === undefined) return;
      // A statement that had to wait so long shows that heartbeats had to as well.
      const hasWaited = performance.now() - askedAt > Math.max(SLOW_MS, (leaseSeconds * 1_000) / 8);
      if (hasWaited || this.#hasGained(row.now)) this.#due = "all";
      this.#last = { now: row.now, askedAt };
      if (this.#due !== undefined) await database.run(RENEWALS[this.#due], [leaseSeconds]);
    } catch (error) {
      // Heartbeats were not written either. After a defect the next sweep continues without: it would fail each time.
      this.#due = isUnavailable(error) ? "all" : undefined;
      throw error;
    }
    this.#due = undefined;
    this.#refusals = refusals;
  }

  /** Whether the database's clock has gained on ours: more than the longest time that can have passed since it was read. */
  #hasGained(now: number): boolean {
    if (this.#last === undefined) return false;
    const elapsed = (performance.now() - this.#last.askedAt) / 1_000;
    return now - this.#last.now > elapsed + SLACK_SECONDS;
  }
}
