import type { Scope } from "@tenterhook/protocol/runs";
import { BoundedMap } from "@tenterhook/protocol/support";
import type { Database } from "../database/database.ts";
import { TokenWatch } from "./token-watch.ts";
import { findToken, type RunnerBinding, recordUse } from "./tokens.ts";

/** The token or session of a request. */
export interface Identity {
  readonly tokenId: string;
  readonly name: string;
  readonly scope: Scope;
  readonly via: "bearer" | "cookie";
  /** The runner that it is bound to. */
  readonly binding: RunnerBinding;
  /** The token of the person or program, and its makers up to the first. A page's session counts as the token that it belongs to. */
  readonly lineage: readonly string[];
}

/** How long a token is cached: one that was revoked on another coordinator is valid here for at most this long. */
const CACHE_MS = 750;
const MAX_CACHED = 1_000;
/** The precision of "last used". */
const LAST_USED_PRECISION_MS = 60_000;

interface CachedToken extends RunnerBinding {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly kind: string;
  readonly lineage: readonly string[];
  readonly until: number;
}

/** Looks tokens up, and caches them briefly: a busy runner sends many requests a second. */
export class KnownTokens {
  readonly #database: Database;
  /** By secret: hashing takes a tenth of a small request. */
  readonly #known = new BoundedMap<string, CachedToken>(MAX_CACHED);
  readonly #recordedUses = new BoundedMap<string, number>(MAX_CACHED);
  readonly #watch: TokenWatch;
  #endings = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#watch = new TokenWatch(database);
  }

  /** The identity of a secret; `undefined` when it is unknown, was revoked, or is for another way to authenticate. */
  async identify(secret: string, via: Identity["via"]): Promise<Identity | undefined> {
    const known = this.#cached(secret) ?? (await this.#lookUp(secret));
    // A cookie's secret is no bearer token, nor the other way round: each is checked in its own way.
    if (known === undefined || known.kind !== (via === "cookie" ? "session" : "token")) return undefined;
    const { id: tokenId, name, scope, runner_name, runner_tags, lineage } = known;
    return { tokenId, name, scope, via, binding: { runner_name, runner_tags }, lineage };
  }

  /** Ends tokens at once, with the requests that they have open, because they have been revoked here. */
  end(ids: readonly string[]): void {
    this.#endings++;
    const ended = new Set(ids);
    for (const [secret, known] of this.#known) if (ended.has(known.id)) this.#known.delete(secret);
    for (const id of ids) this.#watch.end(id);
  }

  /** Calls `ended` when the token of an open request is no longer valid. Returns the function that stops watching. */
  watch({ tokenId }: Identity, ended: () => void): () => void {
    return this.#watch.watch(tokenId, ended);
  }

  close(): void {
    this.#watch.close();
  }

  #cached(secret: string): CachedToken | undefined {
    const known = this.#known.get(secret);
    return known !== undefined && known.until > performance.now() ? known : undefined;
  }

  async #lookUp(secret: string): Promise<CachedToken | undefined> {
    this.#known.delete(secret);
    const endings = this.#endings;
    const row = await findToken(this.#database, secret);
    if (row === undefined) return undefined;
    const now = performance.now();
    // Not beyond its own end or a maker's; the database's clock decides about that.
    const left = row.ends_at === null ? CACHE_MS : Date.parse(row.ends_at) - Date.now();
    const lineage = row.line.slice(row.line_kinds.indexOf("token"));
    const known = { ...row, lineage, until: now + Math.min(CACHE_MS, left) };
    // It may have been read just before it was revoked here.
    if (endings !== this.#endings) return known;
    this.#known.set(secret, known);
    this.#recordUse(row.id, now);
    return known;
  }

  #recordUse(id: string, now: number): void {
    if (now - (this.#recordedUses.get(id) ?? Number.NEGATIVE_INFINITY) < LAST_USED_PRECISION_MS) return;
    this.#recordedUses.set(id, now);
    // Only information for people: a failure must not fail the request.
    recordUse(this.#database, id).catch(() => this.#recordedUses.delete(id));
  }
}
