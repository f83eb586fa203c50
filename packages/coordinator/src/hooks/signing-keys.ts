import { randomBytes } from "node:crypto";
import type { Database, Queries, Statement } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { agreedSetting } from "../store/setting.ts";

/** The key that signs webhooks, and the one that it replaced, while receivers may still need that. */
export interface KeyPair {
  readonly key: string;
  readonly previous_key: string | null;
}

// Two settings, so that a coordinator of an earlier version keeps signing with the newest key.
const CURRENT = "webhook_signing_key";
const PREVIOUS = "webhook_signing_key_previous";

// Also a lock: concurrent changes of the key happen one after the other.
const READ_LOCKED: Statement = {
  name: "lock-signing-key",
  text: `SELECT value FROM settings WHERE name = '${CURRENT}' FOR UPDATE`,
};
const READ_PREVIOUS: Statement = {
  name: "read-previous-signing-key",
  text: `SELECT value FROM settings WHERE name = '${PREVIOUS}'`,
};
const REPLACE: Statement = {
  name: "replace-signing-key",
  text: `
    WITH old AS (
      INSERT INTO settings (name, value) SELECT '${PREVIOUS}', value FROM settings WHERE name = '${CURRENT}'
    )
    UPDATE settings SET value = $1::jsonb, version = version + 1 WHERE name = '${CURRENT}'`,
};
const RETIRE: Statement = {
  name: "retire-signing-key",
  text: `DELETE FROM settings WHERE name = '${PREVIOUS}' RETURNING name`,
};

/** The keys of a store's webhooks. They are read for every call, so that a change applies everywhere at once. */
export class SigningKeys {
  readonly #database: Database;
  readonly #fixed: readonly string[] | undefined;

  /** `fixed`: the keys that the program which starts the coordinator has set. They are not stored, and cannot be changed here. */
  constructor(database: Database, fixed: string | readonly string[] | undefined) {
    this.#database = database;
    this.#fixed = fixed === undefined ? undefined : [fixed].flat();
  }

  /** Makes a key at the first start. */
  async prepare(): Promise<void> {
    if (this.#fixed === undefined) await agreedSetting(this.#database, CURRENT, newKey);
  }

  /** The keys to sign with, the newest first. */
  async all(): Promise<readonly string[]> {
    const { key, previous_key } = await this.read();
    return previous_key === null ? [key] : [key, previous_key];
  }

  async read(queries: Queries = this.#database): Promise<KeyPair> {
    const [first, second = null] = this.#fixed ?? [];
    if (first !== undefined) return { key: first, previous_key: second };
    const key = await agreedSetting(queries, CURRENT, newKey);
    const [previous] = await queries.run<{ value: string }>(READ_PREVIOUS);
    return { key, previous_key: previous?.value ?? null };
  }

  /** Signs with another key from now on, and with the one before as well until that is retired. */
  async rotate(key: string = newKey()): Promise<KeyPair> {
    this.#checkChangeable();
    return this.#database.transaction(async (queries) => {
      const [current] = await queries.run<{ value: string }>(READ_LOCKED);
      const [previous] = await queries.run(READ_PREVIOUS);
      if (previous !== undefined) {
        throw new Problem("conflict", "the previous key is still in use", {
          hint: "Retire it first: DELETE /webhook-key/previous, or tenterhook tokens webhook-key retire.",
        });
      }
      if (current?.value === key) throw new Problem("conflict", "that is the key already", { field: "key" });
      await queries.run(REPLACE, [JSON.stringify(key)]);
      return this.read(queries);
    });
  }

  /** Signs with the newest key only from now on. */
  async retire(): Promise<KeyPair> {
    this.#checkChangeable();
    const retired = await this.#database.run(RETIRE);
    if (retired.length === 0) throw new Problem("not_found", "there is no previous key");
    return this.read();
  }

  #checkChangeable(): void {
    if (this.#fixed === undefined) return;
    throw new Problem("conflict", "the program that started the coordinator has set the key", {
      hint: "Change the signingKey that it gives to serveCoordinator.",
    });
  }
}

function newKey(): string {
  return randomBytes(32).toString("base64url");
}
