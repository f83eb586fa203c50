import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "@tenterhook/internal";
import type { Insights } from "@tenterhook/protocol/runs";
import { type FleetPlan, type OnEnd, ProcessFleet } from "./process-fleet.ts";
import { ROUNDS, withSeed } from "./seed.ts";
import { type FaultKind, storm } from "./storm.ts";
import { problemsOf } from "./verdict.ts";

/**
 * Injects faults into a running fleet. Every acknowledged run must end once, every hook must have its effect once, and a
 * subscriber must receive every event once.
 */
export function runFaults(
  plan: FleetPlan,
  kinds: readonly [FaultKind, ...FaultKind[]],
  onEnd: OnEnd,
): Promise<void> {
  return withSeed(async (chance) => {
    const fleet = await ProcessFleet.start(plan, onEnd);
    await storm(fleet, chance, kinds, ROUNDS).catch((error: unknown) => {
      throw new Error(`${messageOf(error)}\n${fleet.errorOutput}`, { cause: error });
    });
    await untilCounted(fleet);
    // The last coordinators are killed as well; the store must be readable without them.
    await Promise.all(fleet.coordinators.map((each) => each.kill()));
    const problems = await problemsOf(fleet, await fleet.openStore());
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
}

const COUNTED_MS = 60_000;

/** Waits until every event is in the sums of insights, which are then compared with the events. */
async function untilCounted({ client }: ProcessFleet): Promise<void> {
  const until = performance.now() + COUNTED_MS;
  for (;;) {
    const { behind_seconds } = await client.read<Insights>("/insights");
    if (behind_seconds === 0) return;
    if (performance.now() > until)
      throw new Error(`the sums are ${behind_seconds} seconds behind the events`);
    await pause(200);
  }
}
