import type { Blueprint } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { rowReader } from "../database/row-reader.ts";
import type { AgentRow } from "../store/rows.ts";

export const readAgent = rowReader<AgentRow>({
  name: "read-agent",
  text: "SELECT * FROM agents WHERE name = $1",
});

const PINNED: Statement = {
  name: "read-blueprint",
  text: "SELECT blueprint FROM blueprints WHERE name = $1 AND revision = $2",
};

/** The blueprint that a run was created with. */
export async function pinnedBlueprint(queries: Queries, name: string, revision: number): Promise<Blueprint> {
  const [row] = await queries.run<{ blueprint: Blueprint }>(PINNED, [name, revision]);
  if (row === undefined) throw new Error(`the blueprint ${name} has no revision ${revision}`);
  return row.blueprint;
}
