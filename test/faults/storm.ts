import type { Chance } from "./chance.ts";
import type { Fault } from "./faults.ts";
import type { Follower } from "./follower.ts";
import type { FaultWorld } from "./world.ts";

/** A fault and the things that it may come after. */
export interface FaultKind {
  readonly fault: Fault;
  readonly moments: readonly [string, ...string[]];
}

/** How many runs are asked for in a round. */
const LOAD = 6;
/** How long a fault waits for its moment: it comes in any case. */
const MOMENT_MS = 3_000;
/** Every so many rounds everything is let come to its end. */
const ROUNDS_BETWEEN_CALMS = 10;
const CALM_MS = 45_000;

/** Rounds of work with one fault in each, every now and then followed by a calm in which everything has to end. */
export async function storm(
  world: FaultWorld,
  chance: Chance,
  kinds: readonly [FaultKind, ...FaultKind[]],
  rounds: number,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    // Every kind in turn, so that few rounds have them all.
    const kind = kinds[round % kinds.length] ?? kinds[0];
    const name = chance.pick(kind.moments);
    const moment = world.moments.after(name, 1 + chance.below(LOAD), MOMENT_MS);
    const work = Promise.all(Array.from({ length: LOAD }, () => startSomething(world, chance)));
    const who = await moment;
    await kind.fault(world, chance, who ?? "");
    await work;
    if (round % ROUNDS_BETWEEN_CALMS === 0 || round === rounds) await calm(world);
  }
}

/** Something that a client may want. */
async function startSomething({ client }: FaultWorld, chance: Chance): Promise<void> {
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
    "guarded",
  ]);
  const isStopped = chance.below(10) === 0;
  const isCalledBack = chance.below(8) === 0;
  const run = await client.start(agent);
  if (isStopped) await client.stop(run);
  if (!isCalledBack) return;
  await client.start("plain", { execution_mode: "async_callback", parent_session_id: run.session_id });
}

/** Waits until everything that was begun has ended, as far as one who follows the events can see. */
async function calm(world: FaultWorld): Promise<void> {
  const { follower, moments, client } = world;
  const until = performance.now() + CALM_MS;
  for (;;) {
    const acknowledged = [...client.acknowledged.values()].map(({ run_id }) => run_id);
    const open = [...follower.open, ...acknowledged.filter((id) => !follower.seen.has(id))];
    if (open.length === 0) return;
    const left = until - performance.now();
    if (left <= 0) {
      const stories = open.map((id) => story(follower, id));
      throw new Error(["these do not end:", ...stories, world.complaints].join("\n"));
    }
    await moments.after("event", 1, Math.min(left, 1_000));
  }
}

function story({ seen }: Follower, id: string): string {
  return `${id}: ${
    seen
      .get(id)
      ?.map((event) => JSON.stringify(event))
      .join("\n  ") ?? "nothing was told of it"
  }`;
}
