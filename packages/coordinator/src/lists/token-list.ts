import type { TokenRecord } from "@tenterhook/protocol/runs";
import { validIds } from "../access/tokens.ts";
import type { Queries } from "../database/database.ts";
import { allOf, runComposed, sql, verbatim } from "../database/fragment.ts";
import { isAfter, type Positioned } from "./columns.ts";
import { type PageQuery, pageOf, readCursor } from "./cursor.ts";

const COLUMNS =
  verbatim(`id AS token_id, kind, name, scope, made_with, runner_name, runner_tags, created_at, expires_at, used_at,
  created_at::text AS position`);
const IS_VALID = verbatim(`kind <> 'code' AND id IN (${validIds("kind <> 'code'")})`);

/** Valid tokens, the newest first. The secrets cannot be shown: only their hashes are stored. */
export async function listTokens(queries: Queries, { limit, cursor }: PageQuery) {
  const rows = await runComposed<TokenRecord & Positioned>(
    queries,
    sql`SELECT ${COLUMNS} FROM tokens
      WHERE ${allOf([IS_VALID, isAfter("created_at", "id", readCursor(cursor, 2))])}
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  );
  const page = pageOf(rows, limit, ({ position, token_id }) => [position, token_id]);
  return {
    tokens: page.rows.map(({ position: _position, ...token }): TokenRecord => token),
    next_cursor: page.next_cursor,
  };
}
