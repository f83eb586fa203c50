import { messageOf } from "@tenterhook/internal";
import { ROUNDS, withSeed } from "./seed.ts";
import { type FaultKind, storm } from "./storm.ts";
import { problemsOf } from "./verdict.ts";
import { FaultWorld, type OnEnd, type WorldPlan } from "./world.ts";

/**
 * Injects faults into a running fleet. Every acknowledged run must end once, every hook must have its effect once, and a
 * subscriber must receive every event once.
 */
export function runFaults(
  plan: WorldPlan,
  kinds: readonly [FaultKind, ...FaultKind[]],
  onEnd: OnEnd,
): Promise<void> {
  return withSeed(async (chance) => {
    const world = await FaultWorld.start(plan, onEnd);
    await storm(world, chance, kinds, ROUNDS).catch((error: unknown) => {
      throw new Error(`${messageOf(error)}\n${world.errorOutput}`, { cause: error });
    });
    // The last coordinators are killed as well; the store must be readable without them.
    await Promise.all(world.coordinators.map((each) => each.kill()));
    const problems = await problemsOf(world, await world.openStore());
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
}
