import type { Scope } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { findToken, hashOf, noteUse } from "./tokens.ts";

/** Whoever makes a request. */
export interface Identity {
  readonly tokenId: string;
  readonly name: string;
  readonly scope: Scope;
  readonly via: "bearer" | "cookie";
}

/** A token that was revoked on another coordinator counts here for at most so long. */
const TRUSTED_MS = 1_500;
const MOST_TRUSTED = 1_000;
/** How exact "last used" is. */
const USE_NOTED_MS = 60_000;

interface Known {
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

  constructor(database: Database) {
    this.#database = database;
  }

  /** Who a secret belongs to; `undefined` when it is none, was revoked, or is for another way in. */
  async identify(secret: string, via: Identity["via"]): Promise<Identity | undefined> {
    const known = this.#remembered(secret) ?? (await this.#lookUp(secret));
    // A cookie's secret is no bearer token, nor the other way round: each is checked in its own way.
    if (known === undefined || known.kind !== (via === "cookie" ? "session" : "token")) return undefined;
    return { tokenId: known.id, name: known.name, scope: known.scope, via };
  }

  /** Forgets a token at once, because it has been revoked here. */
  forget(id: string): void {
    for (const [secret, known] of this.#known) if (known.id === id) this.#known.delete(secret);
  }

  #remembered(secret: string): Known | undefined {
    const known = this.#known.get(secret);
    return known !== undefined && known.until > performance.now() ? known : undefined;
  }

  async #lookUp(secret: string): Promise<Known | undefined> {
    this.#known.delete(secret);
    const row = await findToken(this.#database, hashOf(secret));
    if (row === undefined) return undefined;
    const now = performance.now();
    // Not beyond its own end, which only the database's clock knows exactly.
    const left = row.expires_at === null ? TRUSTED_MS : Date.parse(row.expires_at) - Date.now();
    const known = { ...row, until: now + Math.min(TRUSTED_MS, left) };
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
