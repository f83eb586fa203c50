import { freshPostgres } from "@tenterhook/test-support";
import type { Database } from "../database/database.ts";
import { openEmbedded } from "../database/embedded/embedded-database.ts";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";
import { openServer } from "../database/server/server-database.ts";

export const DATABASE_KINDS = ["embedded", "server"] as const;

/** An empty store with the schema after so many migrations; an embedded one is in `folder`. The caller closes it. */
export async function openEarlierSchema(
  kind: (typeof DATABASE_KINDS)[number],
  folder: string,
  migrations: number,
): Promise<Database> {
  const database =
    kind === "server"
      ? await openServer(await freshPostgres(), { connections: 1 })
      : await openEmbedded(folder);
  // An embedded database begins with all migrations.
  await database.run({ name: "", text: "DROP SCHEMA public CASCADE" });
  await database.run({ name: "", text: "CREATE SCHEMA public" });
  await migrate(database, readMigrations().slice(0, migrations));
  return database;
}
