import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shellAgent } from "./agents.ts";
import type { Outage } from "./database-outages.ts";
import { ProcessFleet } from "./process-fleet.ts";
import { IS_LONG } from "./seed.ts";
import { HAS_NAMESPACES } from "./small-disk.ts";

const LEASE_SECONDS = 10;
/** Longer than a lease, and than the attempts of a runner that gives up after five. */
export const LONG_SECONDS = 13;
export const SHORT_SECONDS = IS_LONG ? LONG_SECONDS : 5;
/** For a busy machine. */
const LIMIT_MS = 150_000;

export interface OutageCase {
  readonly server: string;
  readonly outage: Outage;
  readonly seconds: number;
  /** Whether it is seen by this coordinator alone: then work that takes longer than the lease is stopped. */
  readonly isPartial?: boolean;
}

let fleet: ProcessFleet;

/** A test for each outage, of one fleet over one PostgreSQL server: no run is lost. */
export function testOutages(cases: readonly OutageCase[]): void {
  const endings: (() => void | Promise<void>)[] = [];
  beforeAll(async () => {
    fleet = await ProcessFleet.start(
      {
        store: "server",
        coordinators: 1,
        runners: 1,
        concurrency: 7,
        leaseSeconds: LEASE_SECONDS,
        statementMs: 1_500,
        lockMs: 700,
        maxConnections: 40,
        hasSmallDisk: HAS_NAMESPACES,
      },
      (end) => void endings.push(end),
    );
    const { client, ledger } = fleet;
    for (const seconds of [1, SHORT_SECONDS + 2, LONG_SECONDS + 2]) {
      await client.put(shellAgent(`takes-${seconds}`, "worker", ledger, seconds));
    }
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  for (const { server, outage, seconds, isPartial = false } of cases) {
    test(`no run is lost while the database server ${server} for ${seconds} s, with leases of ${LEASE_SECONDS} s`, async () => {
      const { client, ledger, occurrences, follower } = fleet;
      const linesBefore = await ledgerLines(ledger);
      const brief = "takes-1";
      const lasting = isPartial && seconds > LEASE_SECONDS ? brief : `takes-${seconds + 2}`;
      // Four end meanwhile, three afterwards. They have one attempt.
      const agents = [lasting, lasting, lasting, brief, brief, brief, brief];
      const started = occurrences.after("run_started", agents.length, LIMIT_MS);
      const runs = await Promise.all(agents.map((agent) => client.start(agent)));
      await started;
      const end = await outage(fleet);
      await pause(seconds * 1_000);
      await end();
      const ends = await Promise.all(runs.map(({ run_id }) => ended(run_id)));
      const lost = ends.filter(({ status }) => status !== "completed");
      expect(lost, `${lost.length} of ${runs.length} were lost: ${fleet.errorOutput}`).toEqual([]);
      expect((await ledgerLines(ledger)) - linesBefore).toBe(runs.length);
      expect(follower.problems).toEqual([]);
    }, 240_000);
  }
}

interface Ended {
  readonly status: string;
  readonly error_code: string | null;
}

async function ended(id: string): Promise<Ended> {
  const { client, occurrences } = fleet;
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    const { status, error_code } = await client.read<Ended>(`/runs/${id}`);
    if (["completed", "failed", "stopped"].includes(status) || performance.now() > until) {
      return { status, error_code };
    }
    await occurrences.after("event", 1, 500);
  }
}

async function ledgerLines(ledger: string): Promise<number> {
  const text = await readFile(ledger, "utf8").catch(() => "");
  return text.split("\n").length - 1;
}
