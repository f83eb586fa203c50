import type { Database, Queries } from "../database.ts";
import { NOTIFY } from "../notify.ts";
import { queriesOver } from "../queries.ts";
import { transact } from "../transaction.ts";
import { Connections, type ConnectionsOptions } from "./connections.ts";
import { Listener } from "./listener.ts";

/** The store on a PostgreSQL server. Rejects with `store_unavailable` when nothing answers there for `patienceMs`. */
export async function openServer(url: string, options: ConnectionsOptions = {}): Promise<Database> {
  const connections = new Connections(url, options);
  const listener = new Listener(connections);
  const queries = queriesOver((statement, values) => connections.send(statement, values));
  let closing: Promise<void> | undefined;

  const database: Database = {
    kind: "server",
    run: queries.run,
    get orm() {
      return queries.orm;
    },
    transaction: <T>(work: (queries: Queries) => Promise<T>) => transact(() => connections.begin(), work),
    listen: (channel, heard) => listener.listen(channel, heard),
    async notify(channel, payload) {
      await queries.run(NOTIFY, [channel, payload]);
    },
    close() {
      closing ??= Promise.all([listener.close(), connections.close()]).then(() => undefined);
      return closing;
    },
  };
  try {
    await queries.run({ name: "", text: "select 1" });
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
