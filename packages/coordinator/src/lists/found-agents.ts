import type { Queries, Statement } from "../database/database.ts";
import { likeLiteral } from "./columns.ts";

const FOUND: Statement = {
  name: "found-agents",
  text: "SELECT DISTINCT name FROM blueprints WHERE name ILIKE $1",
};

/**
 * The names of agents that contain a text. Read first, and not within the statement that lists: there are few, and only with the
 * names at hand does the database see that indexes are enough.
 */
export async function foundAgents(queries: Queries, search: string): Promise<readonly string[]> {
  const rows = await queries.run<{ name: string }>(FOUND, [`%${likeLiteral(search)}%`]);
  return rows.map(({ name }) => name);
}
