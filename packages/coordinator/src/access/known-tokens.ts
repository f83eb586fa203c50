import type { Scope } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { TokenWatch } from "./token-watch.ts";
import { findToken, hashOf, noteUse, type RunnerBinding } from "./tokens.ts";

/** Who makes a request. */
export interface Identity {
  readonly tokenId: string;
  readonly name: string;
  readonly scope: Scope;
  readonly via: "bearer" | "cookie";
  /** Which runner it may be. */
  readonly binding: RunnerBinding;
}

/** A token that was revoked on another coordinator counts here for at most so long. */
const TRUSTED_MS = 750;
const MOST_TRUSTED = 1_000;
/** How exact "last used" is. */
const USE_NOTED_MS = 60_000;

interface Known extends RunnerBinding {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly kind: string;
  readonly until: number;
}

/** Looks tokens up, and remembers them for a moment: a busy runner asks many times a second. */
export class KnownTokens {
  readonly #database: Database;
  /** By secret: hashing takes a tenth of a small request. */
  readonly #known = new Map<string, Known>();
  readonly #usesNoted = new Map<string, number>();
  readonly #watch: TokenWatch;
  #endings = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#watch = new TokenWatch(database);
  }

  /** Who a secret belongs to; `undefined` when it is none, was revoked, or is for another way in. */
  async identify(secret: string, via: Identity["via"]): Promise<Identity | undefined> {
    const known = this.#remembered(secret) ?? (await this.#lookUp(secret));
    // A cookie's secret is no bearer token, nor the other way round: each is checked in its own way.
    if (known === undefined || known.kind !== (via === "cookie" ? "session" : "token")) return undefined;
    const { id: tokenId, name, scope, runner_name, runner_tags } = known;
    return { tokenId, name, scope, via, binding: { runner_name, runner_tags } };
  }

  /** Ends tokens at once, with the requests that they have open, because they have been revoked here. */
  end(ids: readonly string[]): void {
    this.#endings++;
    const ended = new Set(ids);
    for (const [secret, known] of this.#known) if (ended.has(known.id)) this.#known.delete(secret);
    for (const id of ids) this.#watch.end(id);
  }

  /** Calls `ended` when the token of a request that stays open stops counting. Returns the way to stop watching. */
  watch({ tokenId }: Identity, ended: () => void): () => void {
    return this.#watch.watch(tokenId, ended);
  }

  close(): void {
    this.#watch.close();
  }

  #remembered(secret: string): Known | undefined {
    const known = this.#known.get(secret);
    return known !== undefined && known.until > performance.now() ? known : undefined;
  }

  async #lookUp(secret: string): Promise<Known | undefined> {
    this.#known.delete(secret);
    const endings = this.#endings;
    const row = await findToken(this.#database, hashOf(secret));
    if (row === undefined) return undefined;
    const now = performance.now();
    // Not beyond its end, or a maker's, which only the database's clock knows exactly.
    const left = row.ends_at === null ? TRUSTED_MS : Date.parse(row.ends_at) - Date.now();
    const known = { ...row, until: now + Math.min(TRUSTED_MS, left) };
    // It may have been read just before it was revoked here.
    if (endings !== this.#endings) return known;
    if (this.#known.size >= MOST_TRUSTED) this.#known.delete(this.#known.keys().next().value ?? secret);
    this.#known.set(secret, known);
    this.#noteUse(row.id, now);
    return known;
  }

  #noteUse(id: string, now: number): void {
    if (now - (this.#usesNoted.get(id) ?? Number.NEGATIVE_INFINITY) < USE_NOTED_MS) return;
    if (this.#usesNoted.size >= MOST_TRUSTED) this.#usesNoted.clear();
    this.#usesNoted.set(id, now);
    // For people who wonder whether a token is still needed; not worth failing a request for.
    noteUse(this.#database, [id]).catch(() => this.#usesNoted.delete(id));
  }
}
