import type { Chance } from "./chance.ts";
import type { Fault } from "./faults.ts";
import type { Follower } from "./follower.ts";
import type { ProcessFleet } from "./process-fleet.ts";

/** A fault and the occurrences that may trigger it. */
export interface FaultKind {
  readonly fault: Fault;
  readonly occurrences: readonly [string, ...string[]];
}

/** The number of runs per round. */
const LOAD = 6;
/** How long a fault waits for its occurrence before it is injected anyway. */
const OCCURRENCE_MS = 3_000;
/** After this many rounds, all runs must end. */
const ROUNDS_BETWEEN_DRAINS = 10;
const DRAIN_MS = 180_000;

/** Rounds of work with one fault each; after some rounds, all runs must end. */
export async function storm(
  fleet: ProcessFleet,
  chance: Chance,
  kinds: readonly [FaultKind, ...FaultKind[]],
  rounds: number,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    // All kinds in turn, so that few rounds contain all of them.
    const kind = kinds[round % kinds.length] ?? kinds[0];
    const name = chance.pick(kind.occurrences);
    const trigger = fleet.occurrences.after(name, 1 + chance.below(LOAD), OCCURRENCE_MS);
    const work = Promise.all(Array.from({ length: LOAD }, () => startRandomRun(fleet, chance)));
    const who = await trigger;
    await kind.fault(fleet, chance, who ?? "");
    await work;
    if (round % ROUNDS_BETWEEN_DRAINS === 0 || round === rounds) await drain(fleet);
  }
}

/** Starts a random run. */
async function startRandomRun({ client }: ProcessFleet, chance: Chance): Promise<void> {
  const agent = chance.pick([
    "plain",
    "fragile",
    "broken",
    "hooked",
    "hooked",
    "hooked",
    "chained",
    "called",
    "called",
    "deep",
    "huge",
    "misled",
    "flooded",
    "silenced",
    "noisy",
    "guarded",
  ]);
  const isStopped = chance.below(10) === 0;
  const isCalledBack = chance.below(8) === 0;
  const run = await client.start(agent);
  if (isStopped) await client.stop(run);
  if (!isCalledBack) return;
  await client.start("plain", { execution_mode: "async_callback", parent_session_id: run.session_id });
}

/** Waits until all started runs have ended, according to the events. */
async function drain(fleet: ProcessFleet): Promise<void> {
  const { follower, occurrences, client } = fleet;
  const until = performance.now() + DRAIN_MS;
  for (;;) {
    const acknowledged = [...client.acknowledged.values()].map(({ run_id }) => run_id);
    const open = [...follower.open, ...acknowledged.filter((id) => !follower.seen.has(id))];
    if (open.length === 0) return;
    const left = until - performance.now();
    if (left <= 0) {
      const histories = open.map((id) => historyOf(follower, id));
      throw new Error(["these runs do not end:", ...histories, fleet.errorOutput].join("\n"));
    }
    await occurrences.after("event", 1, Math.min(left, 1_000));
  }
}

function historyOf({ seen }: Follower, id: string): string {
  return `${id}: ${
    seen
      .get(id)
      ?.map((event) => JSON.stringify(event))
      .join("\n  ") ?? "no events"
  }`;
}
