import { expect } from "vitest";
import type { Queries } from "../database/database.ts";

const EXPIRE = {
  name: "",
  text: "UPDATE runs SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL RETURNING id",
};

/**
 * Lets all leases of runs end, as if their runners had been silent for that long. Resolves when the coordinator has noticed: again
 * and again, because a coordinator that has started renews all leases once.
 */
export async function expireLeases(database: Queries): Promise<void> {
  await expect.poll(() => database.run(EXPIRE)).toEqual([]);
}
