import { BoundedMap } from "@tenterhook/internal";
import type { Scope } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { Slots } from "../slots.ts";
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
const MAX_CACHED = 10_000;
/** Look-ups of tokens that are not known here: how many run at a time, and how many wait. */
const UNKNOWN_AT_ONCE = 4;
const MAX_WAITING = 1_000;
/** The same for clients that have sent too many requests without a valid token. */
const MAX_WAITING_BEYOND_LIMIT = 100;
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
  readonly #unknown = new Slots(UNKNOWN_AT_ONCE, MAX_WAITING);
  readonly #beyondLimit = new Slots(1, MAX_WAITING_BEYOND_LIMIT);
  #endings = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#watch = new TokenWatch(database);
  }

  /** The identity of a secret; `undefined` when it is unknown, was revoked, or is for another way to authenticate. */
  async identify(secret: string, via: Identity["via"]): Promise<Identity | undefined> {
    return this.#identify(secret, via, this.#unknown);
  }

  /** The same for a client that has sent too many requests without a valid token: it delays such clients only. */
  async identifyBeyondLimit(secret: string, via: Identity["via"]): Promise<Identity | undefined> {
    return this.#identify(secret, via, this.#beyondLimit);
  }

  /** Whether a token was valid when it was last looked up here. */
  isKnown(secret: string): boolean {
    return this.#known.has(secret);
  }

  /** Runs a statement that looks for a secret which may not exist, when not too many of them are running. */
  async lookUpUnknown<T>(find: () => Promise<T>, slots = this.#unknown): Promise<T> {
    if (slots.isFull) {
      throw new Problem("unavailable", "too many unknown tokens are being looked up", {
        hint: "Try again in a moment.",
      });
    }
    return slots.run(find);
  }

  async #identify(secret: string, via: Identity["via"], slots: Slots): Promise<Identity | undefined> {
    if (secret === "") return undefined;
    const known = this.#cached(secret) ?? (await this.#lookUp(secret, slots));
    // A cookie's secret is not a bearer token, nor the other way round: each is checked in its own way.
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

  async #lookUp(secret: string, slots: Slots): Promise<CachedToken | undefined> {
    const endings = this.#endings;
    const find = () => findToken(this.#database, secret);
    const row = await (this.isKnown(secret) ? find() : this.lookUpUnknown(find, slots));
    // It stays known while it is looked up again; set anew, so that the one that was not used for the longest time goes first.
    this.#known.delete(secret);
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
