import { Backoff, pause } from "@tenterhook/protocol/support";
import pg from "pg";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import { isStalePlan, SqlError, unavailable } from "../sql-error.ts";
import { BEGIN, type Session } from "../transaction.ts";
import { type ConnectionOptions, clientConfig, sendQuery, setUp } from "./connection.ts";
import { isTransient, serverError } from "./server-error.ts";

export interface ConnectionsOptions extends ConnectionOptions {
  readonly connections?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * The connections to one server. A call waits for the server until its statement has been sent; after that, a lost
 * connection is an error, because it is unknown whether the server has executed the statement.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  readonly #connectTimeoutMs: number;
  readonly #closing = new AbortController();
  /** Increases when the tables have changed, as by another coordinator's migration; older connections are replaced. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.ClientBase, number>();
  #active = 0;
  #allEnded: (() => void) | undefined;

  constructor(url: string, { connections = 10, connectTimeoutMs = 10_000, ...options }: ConnectionsOptions) {
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#config = clientConfig(url, options);
    this.#pool = new pg.Pool({
      ...this.#config,
      max: connections,
      idleTimeoutMillis: 30_000,
      onConnect: (client) => setUp(client, options),
    });
    // An idle connection that breaks has left the pool already, and one in use fails the call that uses it; but an error event
    // without a listener ends the process.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      this.#generations.set(client, this.#generation);
    });
  }

  async send(statement: Statement, values: readonly Text[]): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const session = await this.#session(async () => {});
      try {
        return await session.send(statement, values);
      } catch (error) {
        // It was refused before it was executed, and connections with the stale plan are replaced now.
        if (!isStalePlan(error) || attempt === 3) throw error;
      } finally {
        session.end();
      }
    }
  }

  /** A connection that has begun a transaction. A lost `begin` has done nothing, so another connection is tried. */
  begin(): Promise<Session> {
    return this.#session((client) => sendQuery(client, BEGIN, []));
  }

  /** A connection outside the pool, for listening; the caller ends it. */
  dedicated(): Promise<pg.Client> {
    return this.#untilConnected(async () => {
      const client = new pg.Client(this.#config);
      client.on("error", () => {});
      await client.connect();
      return client;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // The pool itself would drop calls that still wait for a connection.
    if (this.#active > 0) {
      await new Promise<void>((resolve) => {
        this.#allEnded = resolve;
      });
    }
    await this.#pool.end();
  }

  async #session(begin: (client: pg.PoolClient) => Promise<unknown>): Promise<Session> {
    this.#active += 1;
    try {
      return await this.#untilConnected(async () => {
        const client = await this.#client();
        try {
          await begin(client);
        } catch (error) {
          client.release(true);
          throw error;
        }
        return this.#sessionOf(client);
      });
    } catch (error) {
      this.#ended();
      throw error;
    }
  }

  async #client(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if (this.#generations.get(client) === this.#generation) return client;
      client.release(true);
    }
  }

  #sessionOf(client: pg.PoolClient): Session {
    let isUnusable = false;
    return {
      send: async (statement, values) => {
        try {
          return await sendQuery(client, statement, values);
        } catch (error) {
          const meaning = serverError(error);
          isUnusable ||= !(meaning instanceof SqlError);
          if (isStalePlan(meaning) && this.#generations.get(client) === this.#generation)
            this.#generation += 1;
          throw meaning;
        }
      },
      end: (failure) => {
        client.release(isUnusable || failure !== undefined);
        this.#ended();
      },
    };
  }

  #ended(): void {
    this.#active -= 1;
    if (this.#active === 0) this.#allEnded?.();
  }

  async #untilConnected<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#connectTimeoutMs;
    for (const backoff = new Backoff({ firstMs: 25, mostMs: 1_000 }); ; ) {
      const waitMs = backoff.nextMs();
      if (this.#closing.signal.aborted) throw unavailable("The database is closed.");
      try {
        return await attempt();
      } catch (error) {
        if (!isTransient(error) || performance.now() + waitMs > deadline) throw serverError(error);
      }
      await pause(waitMs, this.#closing.signal);
    }
  }
}
