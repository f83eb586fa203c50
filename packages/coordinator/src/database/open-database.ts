import type { Database } from "./database.ts";
import { openEmbedded } from "./embedded/embedded-database.ts";
import { migrate } from "./migrate.ts";
import { openServer } from "./server/server-database.ts";
import { watchSchema } from "./watch-schema.ts";

/** Which database a coordinator uses. */
export interface DatabaseOptions {
  /** A PostgreSQL server, as in `DATABASE_URL`. Without it the database is embedded. */
  readonly url?: string | undefined;
  /** The coordinator's data folder; an embedded database lives in its `database/`. */
  readonly folder: string;
  /** Connections to a server, besides the one that listens. 10 by default, and as many again while statements wait for a lock. */
  readonly connections?: number | undefined;
  /** How long a call waits for a server that cannot be reached. 10,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long calls wait for a server that was reachable before, from when it was lost. Default: `connectTimeoutMs`. */
  readonly reconnectMs?: number | undefined;
  /** The time limit of a statement on a server. 30,000 by default. */
  readonly statementMs?: number | undefined;
  /** A transaction without a statement for so long is rolled back. 15,000 by default. */
  readonly transactionIdleMs?: number | undefined;
}

/** Opens the database and brings its tables up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, folder } = options;
  if (!url) return migrated(await openEmbedded(folder, options));
  // On a connection of its own: a migration, or waiting for another coordinator's, may take longer than a statement's time limit.
  const migrating = await migrated(
    await openServer(url, { ...options, connections: 1, statementMs: 0, lockMs: 0 }),
  );
  await migrating.close();
  const database = await openServer(url, options);
  return watchSchema(database).catch(async (error) => {
    await database.close();
    throw error;
  });
}

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
