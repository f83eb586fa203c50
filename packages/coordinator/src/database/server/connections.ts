import { Backoff, pause } from "@tenterhook/internal";
import pg from "pg";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import { isStalePlan, unavailable } from "../sql-error.ts";
import { BEGIN, ROLLBACK, type Session } from "../transaction.ts";
import { Admission, type Leave } from "./admission.ts";
import { type ConnectionOptions, clientConfig, sendQuery, setUp } from "./connection.ts";
import { isTimeout, isTransient, serverError } from "./server-error.ts";

export interface ConnectionsOptions extends ConnectionOptions {
  readonly connections?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** How long calls wait for a server that was reachable before, from the first attempt that failed on. Default: `connectTimeoutMs`. */
  readonly reconnectMs?: number | undefined;
}

/** How long a call waits for other calls until it has a connection. */
const ADMISSION_MS = 5_000;

/** What a transaction that has not begun yet answers to `rollback`. */
const NOTHING: Reply = { command: "ROLLBACK", fields: [], rows: [] };

/**
 * The connections to one server. A call waits for the server until its statement has been sent; after that, a lost
 * connection is an error, because it is unknown whether the server has executed the statement.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #admission: Admission;
  readonly #config: pg.ClientConfig;
  readonly #connectTimeoutMs: number;
  readonly #reconnectMs: number;
  readonly #notConnected: (error: Error) => void;
  #isKnown = false;
  /** When the server was first found away. */
  #awaySince: number | undefined;
  readonly #closing = new AbortController();
  /** Increases when the tables have changed, as by another coordinator's migration; older connections are replaced. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.ClientBase, number>();
  #active = 0;
  #allEnded: (() => void) | undefined;

  /** `notConnected` is called with every failed attempt to connect. */
  constructor(url: string, options: ConnectionsOptions, notConnected: (error: Error) => void = () => {}) {
    const { connections = 10, connectTimeoutMs = 10_000, reconnectMs = connectTimeoutMs } = options;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#reconnectMs = reconnectMs;
    this.#notConnected = notConnected;
    this.#config = clientConfig(url, options);
    this.#admission = new Admission(connections, ADMISSION_MS);
    this.#pool = new pg.Pool({
      ...this.#config,
      // Calls that wait for a lock do not count: see there.
      max: 2 * connections,
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
      const session = this.#session(async () => {});
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

  /** A transaction, which begins with its first statement. A lost `begin` has done nothing, so another connection is tried. */
  begin(): Session {
    return this.#session((client) => sendQuery(client, BEGIN, []));
  }

  /** A connection outside the pool, for listening; the caller ends it. */
  dedicated(): Promise<pg.Client> {
    return this.#untilConnected(async () => {
      this.#refuseClosed();
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

  /** Its first statement takes a connection, which it keeps until its end. */
  #session(begin: (client: pg.PoolClient) => Promise<unknown>): Session {
    this.#refuseClosed();
    this.#active += 1;
    let taken: { readonly client: pg.PoolClient; readonly leave: Leave } | undefined;
    let isUnusable = false;
    let isTimedOut = false;
    return {
      send: async (statement, values) => {
        if (taken === undefined && statement === ROLLBACK) return NOTHING;
        taken ??= await this.#take(statement, begin);
        const { client } = taken;
        try {
          return await sendQuery(client, statement, values);
        } catch (error) {
          isTimedOut ||= isTimeout(error);
          isUnusable ||= !(error instanceof pg.DatabaseError) || isTransient(error);
          const meaning = serverError(error);
          if (isStalePlan(meaning) && this.#generations.get(client) === this.#generation)
            this.#generation += 1;
          throw meaning;
        }
      },
      end: (failure) => {
        taken?.client.release(isUnusable || failure !== undefined);
        taken?.leave(isTimedOut);
        this.#active -= 1;
        if (this.#active === 0) this.#allEnded?.();
      },
    };
  }

  async #take(first: Statement, begin: (client: pg.PoolClient) => Promise<unknown>) {
    const leave = await this.#admission.enter(first.name || first.text);
    try {
      const client = await this.#untilConnected(async () => {
        const client = await this.#client();
        try {
          await begin(client);
        } catch (error) {
          client.release(true);
          throw error;
        }
        return client;
      });
      return { client, leave };
    } catch (error) {
      leave(false);
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

  async #untilConnected<T>(attempt: () => Promise<T>): Promise<T> {
    const started = performance.now();
    for (const backoff = new Backoff({ firstMs: 25, mostMs: 1_000 }); ; ) {
      const waitMs = backoff.nextMs();
      try {
        const connected = await attempt();
        this.#isKnown = true;
        this.#awaySince = undefined;
        return connected;
      } catch (error) {
        const failure = serverError(error);
        this.#notConnected(failure);
        this.#awaySince ??= performance.now();
        // Calls of a long outage fail at once, so that callers learn of it.
        const deadline = this.#isKnown
          ? this.#awaySince + this.#reconnectMs
          : started + this.#connectTimeoutMs;
        if (!isTransient(error) || performance.now() + waitMs > deadline) throw failure;
      }
      await pause(waitMs, this.#closing.signal);
      this.#refuseClosed();
    }
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw unavailable("The database is closed.");
  }
}
