import { Chance } from "./chance.ts";

/** The random seed. `TENTERHOOK_FAULT_SEED` sets it. */
export const SEED = Number(process.env.TENTERHOOK_FAULT_SEED ?? 20_261_115);

/** The number of rounds. `TENTERHOOK_FAULT_ROUNDS` sets it. */
export const ROUNDS = Number(process.env.TENTERHOOK_FAULT_ROUNDS ?? 20);

/** Whether this is the long run, `npm run test:faults:long`: more than the rounds of `.ci/run`. */
export const IS_LONG = ROUNDS > 20;

/** The time limit of all rounds, for a busy machine. */
export const STORM_MS = 240_000 + ROUNDS * 30_000;

/** Runs randomized work; its error contains the command to repeat it. */
export async function withSeed<T>(work: (chance: Chance) => Promise<T>): Promise<T> {
  try {
    return await work(new Chance(SEED));
  } catch (error) {
    const again = `TENTERHOOK_FAULT_SEED=${SEED} TENTERHOOK_FAULT_ROUNDS=${ROUNDS}`;
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nTo repeat it: ${again}`, {
      cause: error,
    });
  }
}
