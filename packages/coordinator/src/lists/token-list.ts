import type { TokenRecord } from "@tenterhook/protocol/runs";
import { and, desc, ne, sql } from "drizzle-orm";
import { validIds } from "../access/tokens.ts";
import type { Queries } from "../database/database.ts";
import { tokens } from "../store/schema.ts";
import { exactTime, isAfter } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";

/** Tokens that count, the newest first. The secrets cannot be shown: only their hashes are kept. */
export async function listTokens(
  { orm }: Queries,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const rows = await orm
    .select({
      token_id: tokens.id,
      kind: tokens.kind,
      name: tokens.name,
      scope: tokens.scope,
      made_with: tokens.madeWith,
      runner_name: tokens.runnerName,
      runner_tags: tokens.runnerTags,
      created_at: tokens.createdAt,
      expires_at: tokens.expiresAt,
      used_at: tokens.usedAt,
      place: exactTime(tokens.createdAt),
    })
    .from(tokens)
    .where(
      and(
        ne(tokens.kind, "code"),
        sql`${tokens.id} in (${sql.raw(validIds("kind <> 'code'"))})`,
        isAfter(tokens.createdAt, tokens.id, readCursor(cursor, 2)),
      ),
    )
    .orderBy(desc(tokens.createdAt), desc(tokens.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ place, token_id }) => [place, token_id]);
  return {
    tokens: page.rows.map(({ place: _place, ...row }) => row as TokenRecord),
    next_cursor: page.next_cursor,
  };
}
