import type { Database, Statement } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { type RevokedToken, revokeTokens, validIds } from "./tokens.ts";

// Two who revoke each other's token wait for each other, so that the second sees what the first has left.
const LOCK: Statement = {
  name: "lock-administrators",
  text: "SELECT pg_advisory_xact_lock(hashtext('administrators'))::text",
};

const ADMINISTRATORS: Statement = {
  name: "count-administrators",
  text: `SELECT count(*)::int AS count FROM (${validIds("scope = 'admin' AND kind <> 'code'")}) AS valid`,
};

/**
 * Revokes a token with everything that was made with it, and returns what ended. Throws a `Problem` when no administrator would
 * remain, unless that is wanted.
 */
export function revokeAccess(
  database: Database,
  id: string,
  { evenLastAdmin }: { readonly evenLastAdmin: boolean },
): Promise<RevokedToken[]> {
  return database.transaction(async (queries) => {
    await queries.run(LOCK);
    const revoked = await revokeTokens(queries, [id]);
    if (evenLastAdmin || !revoked.some(({ scope, kind }) => scope === "admin" && kind !== "code"))
      return revoked;
    const [left] = await queries.run<{ count: number }>(ADMINISTRATORS);
    if (left !== undefined && left.count > 0) return revoked;
    throw new Problem("conflict", "with this token, the last access of an administrator would end", {
      hint: "To revoke it all the same, add even_last_admin=true (--even-last-admin). The next start of the coordinator makes a new token.",
    });
  });
}
