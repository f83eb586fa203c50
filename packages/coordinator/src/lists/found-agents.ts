import type { Queries, Statement } from "../database/database.ts";
import { likeLiteral } from "./columns.ts";

const FOUND: Statement = {
  name: "found-agents",
  text: "SELECT DISTINCT name FROM blueprints WHERE name ILIKE $1",
};

/**
 * The names of agents that contain a text. Read before the list and not in the same statement: there are few, and only with
 * literal names does the planner see that indexes are enough.
 */
export async function foundAgents(queries: Queries, search: string): Promise<readonly string[]> {
  const rows = await queries.run<{ name: string }>(FOUND, [`%${likeLiteral(search)}%`]);
  return rows.map(({ name }) => name);
}
