import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import { SqlError, unavailable } from "../sql-error.ts";
import { BEGIN, type Session } from "../transaction.ts";
import { isPassing, serverError } from "./server-error.ts";

export interface ConnectionsOptions {
  readonly connections?: number | undefined;
  readonly patienceMs?: number | undefined;
  readonly transactionIdleMs?: number | undefined;
}

/**
 * The connections to one server. A call waits for the server while nothing of it has been sent; once it has been, a lost
 * connection is an error, because nobody knows whether the server had carried it out.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  readonly #patienceMs: number;
  readonly #closing = new AbortController();

  constructor(
    url: string,
    { connections = 10, patienceMs = 10_000, transactionIdleMs = 15_000 }: ConnectionsOptions,
  ) {
    this.#patienceMs = patienceMs;
    this.#config = {
      connectionString: url,
      application_name: "tenterhook",
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      // Both are bounds on defects: our statements take milliseconds, and no transaction waits for the world outside.
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: transactionIdleMs,
    };
    this.#pool = new pg.Pool({ ...this.#config, max: connections, idleTimeoutMillis: 30_000 });
    // An idle connection that breaks has left the pool already, and one in use fails the call that uses it; but an error event that
    // nobody hears ends the process.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  async send(statement: Statement, values: readonly Text[]): Promise<Reply> {
    const client = await this.#connect();
    try {
      const reply = await ask(client, statement, values);
      client.release();
      return reply;
    } catch (error) {
      const meaning = serverError(error);
      client.release(!(meaning instanceof SqlError));
      throw meaning;
    }
  }

  /** A connection that has begun a transaction. A lost `begin` has done nothing, so another connection is tried. */
  async begin(): Promise<Session> {
    return this.#patiently(async () => {
      const client = await this.#pool.connect();
      try {
        await ask(client, BEGIN, []);
      } catch (error) {
        client.release(true);
        throw error;
      }
      return sessionOf(client);
    });
  }

  /** A connection outside the pool, for listening; nobody else ends it. */
  async dedicated(): Promise<pg.Client> {
    return this.#patiently(async () => {
      const client = new pg.Client(this.#config);
      client.on("error", () => {});
      await client.connect();
      return client;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.end();
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#patiently(() => this.#pool.connect());
  }

  async #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 1_000)) {
      if (this.#closing.signal.aborted) throw unavailable("The database is closed.");
      try {
        return await attempt();
      } catch (error) {
        const meaning = serverError(error);
        if (!isPassing(error) || performance.now() + waitMs > deadline) throw meaning;
      }
      await pause(waitMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }
}

function sessionOf(client: pg.PoolClient): Session {
  let lost = false;
  return {
    async send(statement, values) {
      try {
        return await ask(client, statement, values);
      } catch (error) {
        const meaning = serverError(error);
        lost ||= !(meaning instanceof SqlError);
        throw meaning;
      }
    },
    end: (failure) => client.release(lost || failure !== undefined),
  };
}

async function ask(
  client: pg.ClientBase,
  { name, text }: Statement,
  values: readonly Text[],
): Promise<Reply> {
  const { command, fields, rows } = await client.query<Text[]>({
    ...(name === "" ? {} : { name }),
    text,
    values: [...values],
    rowMode: "array",
    types: AS_TEXT,
  });
  return { command, fields: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
}

// Both drivers bring text, and `decode.ts` alone says what it means.
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
