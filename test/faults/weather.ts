import { messageOf } from "@tenterhook/protocol";
import { ROUNDS, withSeed } from "./seed.ts";
import { type FaultKind, storm } from "./storm.ts";
import { problemsOf } from "./verdict.ts";
import { type AtEnd, FaultWorld, type WorldPlan } from "./world.ts";

/**
 * Lets faults rain on a world. Whatever is killed, whenever: every run that was acknowledged ends once, every hook has its
 * effect once, and whoever follows the events is told each of them once.
 */
export function weather(
  plan: WorldPlan,
  kinds: readonly [FaultKind, ...FaultKind[]],
  atEnd: AtEnd,
): Promise<void> {
  return withSeed(async (chance) => {
    const world = await FaultWorld.start(plan, atEnd);
    await storm(world, chance, kinds, ROUNDS).catch((error: unknown) => {
      throw new Error(`${messageOf(error)}\n${world.complaints}`, { cause: error });
    });
    // The last ones are killed, too; what they leave must be readable without them.
    await Promise.all(world.coordinators.map((each) => each.kill()));
    const problems = await problemsOf(world, await world.openStore());
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
}
