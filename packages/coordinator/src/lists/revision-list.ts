import type { Blueprint, RevisionRecord, RevisionSummary } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { notFound, Problem } from "../problem.ts";
import { cursorProblem, type PageQuery, pageOf, readCursor } from "./cursor.ts";

const COLUMNS = "revision, created_at AS saved_at, created_by AS saved_by";

const LIST: Statement = {
  name: "list-revisions",
  text: `SELECT ${COLUMNS} FROM blueprints WHERE name = $1 AND revision < $2 ORDER BY revision DESC LIMIT $3`,
};

/** More than an agent ever has; the store's integers are larger. */
const ABOVE_ALL = 1_000_000_000;

/** The versions of an agent, the newest first; also of one that was deleted. */
export async function listRevisions(queries: Queries, name: string, { limit, cursor }: PageQuery) {
  const [last = String(ABOVE_ALL)] = readCursor(cursor, 1) ?? [];
  if (!/^\d{1,10}$/.test(last) || Number(last) > ABOVE_ALL) throw cursorProblem();
  const rows = await queries.run<RevisionSummary>(LIST, [name, Number(last), limit + 1]);
  if (rows.length === 0 && cursor === undefined) throw notFound("agent", name);
  const page = pageOf(rows, limit, ({ revision }) => [String(revision)]);
  return { revisions: [...page.rows], next_cursor: page.next_cursor };
}

const READ: Statement = {
  name: "read-revision",
  text: `SELECT ${COLUMNS}, blueprint FROM blueprints WHERE name = $1 AND revision = $2`,
};

export async function readRevision(
  queries: Queries,
  name: string,
  revision: number,
): Promise<RevisionSummary & { readonly blueprint: Blueprint }> {
  const [row] = await queries.run<RevisionRecord>(READ, [name, revision]);
  if (row === undefined) throw new Problem("not_found", `the agent "${name}" has no revision ${revision}`);
  return row;
}
