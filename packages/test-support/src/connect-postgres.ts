import pg from "pg";

/** A connection to a database of a test, beside those of coordinators; the caller ends it. */
export async function connectPostgres(url: string | undefined): Promise<pg.Client> {
  const client = new pg.Client(url);
  // A server that ends breaks it, and an error event without a listener would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}
