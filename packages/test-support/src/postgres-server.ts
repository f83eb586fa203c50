import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.ts";
import { restartPort } from "./restart-port.ts";

/** A real PostgreSQL server, from the binaries of an npm package, in a folder of its own. */
export interface PostgresServer {
  /** The URL of one of its databases. */
  url(database?: string): string;
  /** Creates an empty database; returns its URL. */
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

/** Tests do not survive a power cut. */
export const HASTY: PostgresSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const PASSWORD = "password";
const READY = "database system is ready to accept connections";

/** Starts a server on a free port of this machine; takes about two seconds. Runs as root and as an ordinary user. */
export async function startPostgres(
  settings: PostgresSettings = HASTY,
  native?: string,
): Promise<PostgresServer> {
  const binaries = await postgresBinaries(native);
  const { folder } = binaries;
  const data = join(folder, "data");
  const port = await restartPort();
  const url = (database = "postgres") =>
    `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    server = await startServer(binaries, data, port, settings);
  }

  async function stop(): Promise<void> {
    const ending = server;
    server = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGINT");
    await ended;
  }

  async function remove(): Promise<void> {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await createCluster(binaries, data);
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

/** Its messages are read, so they are in English; a home folder that cannot be entered must not matter. */
const environment = () => ({ ...process.env, LC_ALL: "C", HOME: "/" });

async function createCluster({ initdb, account, folder }: PostgresBinaries, data: string): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${PASSWORD}\n`);
  await mkdir(data, { mode: 0o700 });
  if (account !== undefined) await chown(data, account.uid, account.gid);
  const flags = ["--auth=password", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C"];
  await promisify(execFile)(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...flags], {
    ...account,
    cwd: folder,
    env: environment(),
  });
}

async function startServer(
  { postgres, account, folder }: PostgresBinaries,
  data: string,
  port: number,
  wanted: PostgresSettings,
): Promise<ChildProcess> {
  const settings = {
    max_connections: "200",
    ...wanted,
    listen_addresses: "127.0.0.1",
    // The default folder of the socket need not exist, and a path in ours could be too long.
    unix_socket_directories: "",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(postgres, ["-D", data, "-p", String(port), ...flags], {
    ...account,
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    let log = "";
    const fail = () => reject(new Error(`PostgreSQL did not start: ${log.slice(-2_000)}`));
    server.once("error", reject).once("exit", fail);
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-10_000);
      if (!log.includes(READY)) return;
      server.off("exit", fail);
      resolve();
    });
  });
  // What it logs from now on is read and dropped: a full pipe would block it.
  server.stderr.removeAllListeners("data").resume();
  return server;
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
