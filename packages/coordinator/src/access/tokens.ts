import { createHash, randomBytes } from "node:crypto";
import type { Scope } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { newId } from "../store/new-id.ts";

/** `token` is for programs, `session` is a person's cookie, `code` logs in once and is used up by it. */
export type TokenKind = "token" | "session" | "code";

export interface TokenRow {
  readonly id: string;
  readonly kind: TokenKind;
  readonly name: string;
  readonly scope: Scope;
  /** The token that it was made with, and whose end is its own. */
  readonly made_with: string | null;
  readonly hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly used_at: string | null;
  readonly revoked_at: string | null;
}

/** Begins like this so that people, and programs that look for leaked secrets, recognise one. */
const PREFIX = "tenterhook_";

/**
 * Tokens have 256 random bits, so a fast hash keeps them safe. They are found by that hash: how long looking takes says
 * nothing about a token, and so there is nothing to compare in constant time.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

const INSERT: Statement = {
  name: "insert-token",
  text: `
    INSERT INTO tokens (id, kind, name, scope, hash, expires_at, made_with)
    VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7)
    RETURNING *`,
};

/** Makes a token. The secret is returned and not stored. */
export async function createToken(
  queries: Queries,
  wanted: {
    readonly kind: TokenKind;
    readonly name: string;
    readonly scope: Scope;
    readonly seconds?: number | undefined;
    readonly madeWith?: string | null;
  },
): Promise<{ readonly secret: string; readonly row: TokenRow }> {
  const secret = PREFIX + randomBytes(32).toString("base64url");
  const { kind, name, scope, seconds = null, madeWith = null } = wanted;
  const values = [newId("tok"), kind, name, scope, hashOf(secret), seconds, madeWith];
  const [row] = await queries.run<TokenRow>(INSERT, values);
  if (row === undefined) throw new Error("the token was not stored");
  return { secret, row };
}

const FIND: Statement = {
  name: "find-token",
  text: `
    SELECT * FROM tokens
    WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
};

/** The token with a hash, while it counts. */
export async function findToken(queries: Queries, hash: string): Promise<TokenRow | undefined> {
  return (await queries.run<TokenRow>(FIND, [hash]))[0];
}

const USE_UP: Statement = {
  name: "use-up-code",
  text: `
    UPDATE tokens SET revoked_at = now(), used_at = now()
    WHERE hash = $1 AND kind = 'code' AND revoked_at IS NULL AND expires_at > now()
    RETURNING *`,
};

/** Takes a code that logs in once; the second who brings it gets nothing. */
export async function useUpCode(queries: Queries, secret: string): Promise<TokenRow | undefined> {
  return (await queries.run<TokenRow>(USE_UP, [hashOf(secret)]))[0];
}

const REVOKE: Statement = {
  name: "revoke-token",
  text: "UPDATE tokens SET revoked_at = now() WHERE (id = $1 OR made_with = $1) AND revoked_at IS NULL RETURNING *",
};

/** Revokes a token, and everybody who logged in with it. Returns what was revoked. */
export function revokeToken(queries: Queries, id: string): Promise<TokenRow[]> {
  return queries.run<TokenRow>(REVOKE, [id]);
}

const USED: Statement = {
  name: "use-token",
  text: "UPDATE tokens SET used_at = now() WHERE id = ANY($1::text[])",
};

export async function noteUse(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.run(USED, [ids]);
}
