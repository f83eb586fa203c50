import { expect, test } from "vitest";
import { killCoordinator, killRunner, restartPostgres } from "./faults.ts";
import { ROUND_MS, ROUNDS, withSeed } from "./seed.ts";
import { type FaultKind, storm } from "./storm.ts";
import { problemsOf } from "./verdict.ts";
import { FaultWorld, type WorldPlan } from "./world.ts";

// Whatever is killed, whenever: every run that was acknowledged ends once, every hook has its effect once, and whoever
// follows the events is told each of them once.

const STEPS = [
  "sent",
  "acknowledged",
  "run_preparing",
  "hook_start",
  "run_ready",
  "work_claimed",
  "run_started",
  "run_finishing",
  "hook_complete",
  "run_completed",
] as const;

const COORDINATOR: FaultKind = { name: "a coordinator is killed", fault: killCoordinator, moments: STEPS };
const RUNNER: FaultKind = {
  name: "a runner is killed",
  fault: killRunner,
  moments: ["work_claimed", "run_started", "acknowledged"],
};
const HOOK_RUNNER: FaultKind = {
  name: "the runner of a hook is killed",
  fault: killRunner,
  moments: ["hook_claimed"],
};
const POSTGRES: FaultKind = { name: "PostgreSQL is restarted", fault: restartPostgres, moments: STEPS };

async function weather(plan: WorldPlan, kinds: readonly [FaultKind, ...FaultKind[]]) {
  return withSeed(async (chance) => {
    const world = await FaultWorld.start(plan);
    await storm(world, chance, kinds, ROUNDS);
    // The last ones die in the middle of things, too; what they leave must be readable without them.
    await Promise.all(world.coordinators.map((each) => each.kill()));
    expect(await problemsOf(world, await world.openStore())).toEqual([]);
  });
}

const TIMEOUT_MS = 60_000 + ROUNDS * ROUND_MS;

test(
  "one coordinator with its embedded store and two runners lose nothing, and the store always opens again",
  () => weather({ store: "embedded", coordinators: 1, runners: 2 }, [COORDINATOR, RUNNER, HOOK_RUNNER]),
  TIMEOUT_MS,
);

test(
  "two coordinators and four runners on one PostgreSQL lose nothing",
  () =>
    weather({ store: "server", coordinators: 2, runners: 4 }, [COORDINATOR, RUNNER, HOOK_RUNNER, POSTGRES]),
  TIMEOUT_MS,
);
