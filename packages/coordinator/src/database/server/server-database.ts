import { randomBytes } from "node:crypto";
import type { Database, Queries, Statement } from "../database.ts";
import { NOTIFY } from "../notify.ts";
import type { Parameter } from "../parameters.ts";
import { queriesOver } from "../queries.ts";
import { isDiskFull } from "../sql-error.ts";
import { ROLLBACK, type Session, transact } from "../transaction.ts";
import { WriteHealth } from "../write-health.ts";
import { Connections, type ConnectionsOptions } from "./connections.ts";
import { Listener } from "./listener.ts";
import { addressOf, connectProblem, encodingProblem } from "./server-error.ts";

/** The store on a PostgreSQL server. Rejects with `store_unavailable` when nothing answers there for `connectTimeoutMs`. */
export async function openServer(url: string, options: ConnectionsOptions = {}): Promise<Database> {
  addressOf(url);
  const connections = new Connections(url, options, (error) => health.notConnected(error));
  const listener = new Listener(connections);
  const health: WriteHealth = new WriteHealth({
    write: () => probe(connections, 1),
    async tables(names) {
      for (const name of names)
        await connections.send({ name: "", text: `delete from ${name} where false` }, []);
    },
    room: () => hasRoom(connections),
  });
  const queries = queriesOver((statement, values) =>
    health.watch(statement, connections.send(statement, values)),
  );
  let closing: Promise<void> | undefined;

  async function begin(): Promise<Session> {
    const session = connections.begin();
    return {
      ...session,
      send: (statement, values) => health.watch(statement, session.send(statement, values)),
    };
  }

  const database: Database = {
    kind: "server",
    run: <R>(statement: Statement, values?: readonly Parameter[]) =>
      statement.isLong
        ? transact(begin, (queries) => runUnlimited<R>(queries, statement, values))
        : queries.run<R>(statement, values),
    writes: health,
    trouble: () => health.trouble(),
    checkSchema: async () => undefined,
    transaction: <T>(work: (queries: Queries) => Promise<T>) => transact(begin, work),
    listen: (channel, onNotice) => listener.listen(channel, onNotice),
    async notify(channel, payload) {
      await queries.run(NOTIFY, [channel, payload]);
    },
    close() {
      closing ??= Promise.all([listener.close(), connections.close()]).then(() => undefined);
      return closing;
    },
  };
  try {
    const { encoding } = await connected(queries, url);
    if (encoding !== "UTF8") throw encodingProblem(encoding, url);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

const NO_LIMIT: Statement = { name: "no-statement-timeout", text: "set local statement_timeout = 0" };

/** In a transaction of its own, without the time limit of statements; that of locks stays. */
async function runUnlimited<R>(
  queries: Queries,
  statement: Statement,
  values?: readonly Parameter[],
): Promise<R[]> {
  await queries.run(NO_LIMIT);
  return queries.run<R>(statement, values);
}

async function connected(queries: Queries, url: string): Promise<{ readonly encoding: string }> {
  const text = "select current_setting('server_encoding') as encoding";
  try {
    const [row] = await queries.run<{ encoding: string }>({ name: "", text });
    return row ?? { encoding: "unknown" };
  } catch (error) {
    throw connectProblem(error, url);
  }
}

// What does not compress, and is rolled back.
const PROBE: Statement = {
  name: "",
  text: "insert into settings (name, value) values ('write_probe', to_jsonb($1::text))",
};
const ROOM_BYTES = 256 * 1024;

async function hasRoom(connections: Connections): Promise<boolean> {
  return probe(connections, ROOM_BYTES).then(
    () => true,
    (error: unknown) => !isDiskFull(error),
  );
}

/** Writes so many bytes, and takes them back. */
async function probe(connections: Connections, bytes: number): Promise<void> {
  const session = connections.begin();
  try {
    await session.send(PROBE, [randomBytes(bytes).toString("base64")]);
  } finally {
    await session.send(ROLLBACK, []).then(() => session.end(), session.end);
  }
}
