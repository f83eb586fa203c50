import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { blueprints } from "../store/schema.ts";
import { literally } from "./columns.ts";

/**
 * The names of agents that have a text in them. Asked for first, and not within the statement that lists: there are few, and
 * only with the names at hand does the database see that indexes are enough.
 */
export async function foundAgents({ orm }: Queries, search: string): Promise<readonly string[]> {
  const rows = await orm
    .selectDistinct({ name: blueprints.name })
    .from(blueprints)
    .where(sql`${blueprints.name} ilike ${`%${literally(search)}%`}`);
  return rows.map(({ name }) => name);
}
