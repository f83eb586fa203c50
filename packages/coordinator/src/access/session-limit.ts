import type { Database, Queries, Statement } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { createToken, lineage, type Maker, revokeTokens, type TokenRow } from "./tokens.ts";

/** How many sessions a token may have, with those that its sessions made. */
const MAX_SESSIONS = 200;

// The token that a session belongs to. The lock is for two who sign in with it at the same time: the second waits for the first.
const LOCK_OWNER: Statement = {
  name: "lock-sessions",
  text: `
    WITH RECURSIVE ${lineage("id = $1")}, owner AS (
      SELECT id FROM lineage WHERE kind = 'token' ORDER BY depth LIMIT 1
    )
    SELECT id, pg_advisory_xact_lock(hashtext('sessions:' || id))::text FROM owner`,
};

// The last use of a session counts with what was made with it, because that would end too. So no session comes before
// one that it made, and the surplus has no more sessions than it must.
const SURPLUS: Statement = {
  name: "surplus-sessions",
  text: `
    WITH RECURSIVE ${lineage("id = $2")}, tree (id, is_own, sessions, used_at) AS (
      SELECT id, true, ARRAY[id], greatest(created_at, used_at) FROM tokens
      WHERE made_with = $1 AND kind = 'session' AND revoked_at IS NULL AND expires_at > now()
      UNION ALL
      SELECT made.id, is_own AND made.kind = 'session',
        CASE WHEN is_own AND made.kind = 'session' THEN sessions || made.id ELSE sessions END,
        greatest(made.created_at, made.used_at)
      FROM tree JOIN tokens AS made ON made.made_with = tree.id
      WHERE made.revoked_at IS NULL AND (made.expires_at IS NULL OR made.expires_at > now())
    ), own AS (
      SELECT session.id, max(used_at) AS used_at, min(cardinality(sessions)) AS depth
      FROM tree CROSS JOIN unnest(sessions) AS session (id) GROUP BY session.id
    )
    SELECT id, id IN (SELECT id FROM lineage) AS is_needed FROM own
    ORDER BY is_needed DESC, used_at DESC, depth, id OFFSET $3`,
};

/**
 * Makes a session. When its token has too many, those that were not used for the longest time end, but none that made the
 * new one. Returns the ids of all tokens that ended. Throws a `Problem` when the maker may not make it.
 */
export function createSession(
  database: Database,
  wanted: { readonly name: string; readonly maker: Maker; readonly seconds: number },
): Promise<{ readonly secret: string; readonly row: TokenRow; readonly ended: readonly string[] }> {
  const { scope } = wanted.maker;
  return database.transaction(async (queries) => {
    const [owner] = await queries.run<{ id: string }>(LOCK_OWNER, [wanted.maker.id]);
    const session = await createToken(queries, { ...wanted, kind: "session", scope });
    const ended = owner === undefined ? [] : await endSurplus(queries, owner.id, session.row.id);
    return { ...session, ended };
  });
}

async function endSurplus(queries: Queries, owner: string, newest: string): Promise<readonly string[]> {
  const surplus = await queries.run<{ id: string; is_needed: boolean }>(SURPLUS, [
    owner,
    newest,
    MAX_SESSIONS,
  ]);
  if (surplus.length === 0) return [];
  if (surplus.some(({ is_needed }) => is_needed)) {
    throw new Problem(
      "forbidden",
      `the link belongs to ${MAX_SESSIONS} sessions that have made each other, and a token may have no more`,
      {
        hint: "Get a link from the command, or sign in with a token.",
      },
    );
  }
  const ended = await revokeTokens(
    queries,
    surplus.map(({ id }) => id),
  );
  return ended.map(({ id }) => id);
}
