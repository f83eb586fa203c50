import { Chance } from "./chance.ts";

/** What chance begins with. `TENTERHOOK_FAULT_SEED` sets it. */
export const SEED = Number(process.env.TENTERHOOK_FAULT_SEED ?? 20_261_115);

/** How many rounds each world goes through. `TENTERHOOK_FAULT_ROUNDS` sets it. */
export const ROUNDS = Number(process.env.TENTERHOOK_FAULT_ROUNDS ?? 20);

/** What all rounds may take at most: for a machine that is busy with other things as well. */
export const STORM_MS = 60_000 + ROUNDS * 15_000;

/** Does something that chance decides about; when it fails, the error says how to repeat it. */
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
