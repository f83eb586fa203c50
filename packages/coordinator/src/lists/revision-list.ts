import type { RevisionSummary } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { notFound, Problem } from "../problem.ts";
import { cursorProblem, type PageQuery, pageOf, readCursor } from "./cursor.ts";

const COLUMNS = "revision, created_at AS saved_at, created_by AS saved_by";

/** More than anything ever has; the store's integers are larger. */
const ABOVE_ALL = 1_000_000_000;

/** The versions of what has a name: agents, or named hooks. */
export class RevisionList<Content extends string, Value> {
  readonly #kind: string;
  readonly #list: Statement;
  readonly #read: Statement;

  /** `content` is the column of what was saved, `kind` the word for what has the name. */
  constructor(table: string, content: Content, kind: string) {
    this.#kind = kind;
    this.#list = {
      name: `list-${table}`,
      text: `SELECT ${COLUMNS} FROM ${table} WHERE name = $1 AND revision < $2 ORDER BY revision DESC LIMIT $3`,
    };
    this.#read = {
      name: `read-${table}`,
      text: `SELECT ${COLUMNS}, ${content} FROM ${table} WHERE name = $1 AND revision = $2`,
    };
  }

  /** The newest first; also of something that was deleted. */
  async list(queries: Queries, name: string, { limit, cursor }: PageQuery) {
    const [last = String(ABOVE_ALL)] = readCursor(cursor, 1) ?? [];
    if (!/^\d{1,10}$/.test(last) || Number(last) > ABOVE_ALL) throw cursorProblem();
    const rows = await queries.run<RevisionSummary>(this.#list, [name, Number(last), limit + 1]);
    if (rows.length === 0 && cursor === undefined) throw notFound(this.#kind, name);
    const page = pageOf(rows, limit, ({ revision }) => [String(revision)]);
    return { revisions: [...page.rows], next_cursor: page.next_cursor };
  }

  async read(
    queries: Queries,
    name: string,
    revision: number,
  ): Promise<RevisionSummary & { readonly [K in Content]: Value }> {
    const [row] = await queries.run<RevisionSummary & { readonly [K in Content]: Value }>(this.#read, [
      name,
      revision,
    ]);
    if (row === undefined)
      throw new Problem("not_found", `the ${this.#kind} "${name}" has no revision ${revision}`);
    return row;
  }
}
