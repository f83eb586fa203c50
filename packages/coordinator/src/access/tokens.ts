import { createHash, randomBytes } from "node:crypto";
import { mayDo, PERMISSIONS, type Permission, type Scope } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { newId } from "../store/new-id.ts";

/** `token` is for programs, `session` is a person's cookie, `code` signs in once. */
export type TokenKind = "token" | "session" | "code";

/** The runner and tags that a token is bound to; `null`: not bound. */
export interface RunnerBinding {
  readonly runner_name: string | null;
  readonly runner_tags: readonly string[] | null;
}

export interface TokenRow extends RunnerBinding {
  readonly id: string;
  readonly kind: TokenKind;
  readonly name: string;
  readonly scope: Scope;
  /** Its maker; it ends with it at the latest. */
  readonly made_with: string | null;
  readonly hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly used_at: string | null;
  readonly revoked_at: string | null;
}

/** A valid token, with the earliest end among it and its makers. */
export interface ValidToken extends TokenRow {
  readonly ends_at: string | null;
  /** Itself and its makers, up to the first, with their kinds. */
  readonly line: readonly string[];
  readonly line_kinds: readonly TokenKind[];
}

/** The token that makes another one. */
export interface Maker {
  readonly id: string;
  readonly scope: Scope;
}

/** A prefix by which people, and programs that search for leaked secrets, recognise a token. */
const PREFIX = "tenterhook_";

/**
 * Tokens have 256 random bits, so a fast hash keeps them safe. They are found by that hash: the time of the search
 * reveals nothing about a token, so no comparison in constant time is needed.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * A token and the tokens that it was made with, up to the first. Every statement that decides whether a token is valid
 * reads this lineage, so a token that is stored while its maker is being revoked is not valid either.
 */
export function lineage(condition: string): string {
  return `
    lineage (token_id, id, kind, depth, made_with, expires_at, revoked_at) AS (
      SELECT id, id, kind, 0, made_with, expires_at, revoked_at FROM tokens WHERE ${condition}
      UNION ALL
      SELECT lineage.token_id, maker.id, maker.kind, depth + 1, maker.made_with, maker.expires_at, maker.revoked_at
      FROM lineage JOIN tokens AS maker ON maker.id = lineage.made_with
    )`;
}

/** A lineage without a first token has lost a maker, which was removed long after its end. */
const IS_VALID = `
  coalesce(bool_and(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())) AND bool_or(made_with IS NULL), false)`;

/** SQL that selects the ids of all valid tokens, among those that meet a condition. */
export function validIds(condition = "true"): string {
  return `WITH RECURSIVE ${lineage(condition)} SELECT token_id FROM lineage GROUP BY token_id HAVING ${IS_VALID}`;
}

const INSERT: Statement = {
  name: "insert-token",
  text: `
    WITH RECURSIVE ${lineage("id = $7")}, maker AS (
      SELECT min(expires_at) AS ends_at, ${IS_VALID} AS is_valid FROM lineage
    ), binding AS (
      SELECT runner_name, runner_tags FROM tokens WHERE id = $7
    )
    INSERT INTO tokens (id, kind, name, scope, hash, expires_at, made_with, runner_name, runner_tags)
    SELECT $1, $2, $3, $4, $5, least(now() + make_interval(secs => $6), maker.ends_at), $7,
      coalesce(binding.runner_name, $8), coalesce(binding.runner_tags, $9::text[])
    FROM maker LEFT JOIN binding ON true
    WHERE $7::text IS NULL OR maker.is_valid
    RETURNING *`,
};

/**
 * Makes a token. The secret is returned and not stored. It ends with its maker at the latest, permits
 * no more than its maker, and keeps the maker's binding to a runner. Throws a `Problem` when the maker may not make it.
 */
export async function createToken(
  queries: Queries,
  wanted: {
    readonly kind: TokenKind;
    readonly name: string;
    readonly scope: Scope;
    readonly seconds?: number | undefined;
    /** `null` for the first token of a data folder. */
    readonly maker: Maker | null;
    readonly binding?: RunnerBinding;
  },
): Promise<{ readonly secret: string; readonly row: TokenRow }> {
  const { kind, name, scope, seconds = null, maker, binding } = wanted;
  if (maker !== null && !isWithin(scope, maker.scope)) {
    throw new Problem("forbidden", `the scope "${maker.scope}" cannot give the scope "${scope}"`, {
      field: "scope",
    });
  }
  const secret = PREFIX + randomBytes(32).toString("base64url");
  const [row] = await queries.run<TokenRow>(INSERT, [
    ...[newId("tok"), kind, name, scope, hashOf(secret), seconds, maker?.id ?? null],
    ...[binding?.runner_name ?? null, binding?.runner_tags ?? null],
  ]);
  if (row === undefined) {
    throw new Problem("unauthenticated", "the token that would have made this has expired or was revoked");
  }
  return { secret, row };
}

/** Whether everything that one scope allows is also allowed by another. */
function isWithin(scope: Scope, other: Scope): boolean {
  const permissions = Object.keys(PERMISSIONS) as Permission[];
  return permissions.every((permission) => !mayDo(scope, permission) || mayDo(other, permission));
}

const FIND: Statement = {
  name: "find-token",
  text: `
    WITH RECURSIVE ${lineage("hash = $1")}, whole AS (
      SELECT min(expires_at) AS ends_at, ${IS_VALID} AS is_valid, array_agg(id ORDER BY depth) AS line,
        array_agg(kind ORDER BY depth) AS line_kinds
      FROM lineage
    )
    SELECT tokens.*, whole.ends_at, whole.line, whole.line_kinds FROM tokens, whole WHERE hash = $1 AND whole.is_valid`,
};

/** The token with a secret, while it and all its makers are valid. */
export async function findToken(queries: Queries, secret: string): Promise<ValidToken | undefined> {
  return (await queries.run<ValidToken>(FIND, [hashOf(secret)]))[0];
}

const STILL_VALID: Statement = { name: "valid-tokens", text: validIds("id = ANY($1::text[])") };

/** Those of some tokens that are still valid. */
export async function findValidIds(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queries.run<{ token_id: string }>(STILL_VALID, [ids]);
  return new Set(rows.map(({ token_id }) => token_id));
}

const USE_UP: Statement = {
  name: "use-up-code",
  text: `
    UPDATE tokens SET revoked_at = now(), used_at = now()
    WHERE hash = $1 AND kind = 'code' AND revoked_at IS NULL AND expires_at > now()
    RETURNING *`,
};

/** Uses up a code that signs in once; a second use returns nothing. */
export async function useUpCode(queries: Queries, secret: string): Promise<TokenRow | undefined> {
  return (await queries.run<TokenRow>(USE_UP, [hashOf(secret)]))[0];
}

const CODE_EXISTS: Statement = {
  name: "code-exists",
  text: "SELECT EXISTS (SELECT 1 FROM tokens WHERE hash = $1 AND kind = 'code') AS is_known",
};

/** Whether a code was ever made. Codes are deleted long after their end. */
export async function isKnownCode(queries: Queries, secret: string): Promise<boolean> {
  const [row] = await queries.run<{ is_known: boolean }>(CODE_EXISTS, [hashOf(secret)]);
  return row?.is_known === true;
}

// Locked in one order, so that two that revoke the same tokens do not wait for each other.
const REVOKE: Statement = {
  name: "revoke-tokens",
  text: `
    WITH RECURSIVE tree (id) AS (
      SELECT id FROM tokens WHERE id = ANY($1::text[]) AND revoked_at IS NULL
      UNION
      SELECT made.id FROM tree JOIN tokens AS made ON made.made_with = tree.id
    ), locked AS (
      SELECT id FROM tokens WHERE id IN (SELECT id FROM tree) AND revoked_at IS NULL ORDER BY id FOR UPDATE
    )
    UPDATE tokens SET revoked_at = now() WHERE id IN (SELECT id FROM locked) AND revoked_at IS NULL
    RETURNING *, (expires_at IS NULL OR expires_at > now()) AS is_current`,
};

/** A token that was revoked; it may have expired before. */
export interface RevokedToken extends TokenRow {
  readonly is_current: boolean;
}

/** Revokes tokens and all that were made with them, directly or not. Returns the revoked tokens. */
export function revokeTokens(queries: Queries, ids: readonly string[]): Promise<RevokedToken[]> {
  return queries.run<RevokedToken>(REVOKE, [ids]);
}

const RENAME: Statement = { name: "rename-token", text: "UPDATE tokens SET name = $2 WHERE id = $1" };

export async function renameToken(queries: Queries, id: string, name: string): Promise<void> {
  await queries.run(RENAME, [id, name]);
}

const USED: Statement = {
  name: "use-token",
  text: "UPDATE tokens SET used_at = now() WHERE id = $1",
};

export async function recordUse(queries: Queries, id: string): Promise<void> {
  await queries.run(USED, [id]);
}
