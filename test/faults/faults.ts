import type { Chance } from "./chance.ts";
import type { FaultWorld } from "./world.ts";

/** Something that goes wrong. `who` is the runner that the moment was about, if it was about one. */
export type Fault = (world: FaultWorld, chance: Chance, who: string) => Promise<void>;

/** Kills a coordinator and starts it again. */
export const killCoordinator: Fault = async (world, chance) => {
  const n = chance.below(world.coordinators.length);
  await world.coordinators[n]?.kill();
  await world.startCoordinator(n);
};

/** Kills a runner, that of the moment if there is one, and starts another in its place. */
export const killRunner: Fault = async (world, chance, who) => {
  const held = world.runners.findIndex(({ said }) => said.id === who);
  const n = held < 0 ? chance.below(world.runners.length) : held;
  await world.runners[n]?.kill();
  await world.startRunner(n);
};

/** Stops PostgreSQL in the middle of everything and starts it again. */
export const restartPostgres: Fault = async ({ postgres }) => {
  await postgres?.stop();
  await postgres?.start();
};
