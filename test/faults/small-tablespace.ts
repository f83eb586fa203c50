import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { connectPostgres, type PostgresServer } from "@tenterhook/test-support";

const MEGABYTES = 48;
const NAME = "small";

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A file system of a fixed size with a database on it, in a namespace of the server's account: that needs no rights. */
export class SmallTablespace {
  readonly databaseUrl: string;
  readonly #folder: string;
  readonly #account: Account;
  readonly #holder: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(
    databaseUrl: string,
    folder: string,
    account: Account,
    holder: ChildProcessByStdio<Writable, Readable, null>,
  ) {
    this.databaseUrl = databaseUrl;
    this.#folder = folder;
    this.#account = account;
    this.#holder = holder;
  }

  static async make(postgres: PostgresServer): Promise<SmallTablespace> {
    const admin = await connectPostgres(postgres.url());
    try {
      const { rows } = await admin.query<{ data_directory: string }>("SHOW data_directory");
      const { uid, gid } = await stat(rows[0]?.data_directory ?? "");
      const folder = await mkdtemp(join(tmpdir(), "tenterhook-tablespace-"));
      await chmod(folder, 0o755);
      await chown(folder, uid, gid);
      const script = `mount -t tmpfs -o size=${MEGABYTES}m tmpfs "$0" && mkdir "$0/space" && echo mounted && exec cat`;
      const flags = ["--user", "--map-root-user", "--mount", "sh", "-c", script, folder];
      const holder = spawn("unshare", flags, { uid, gid, cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
      const first = await Promise.race([once(holder.stdout, "data"), once(holder, "close")]);
      if (!String(first[0]).startsWith("mounted")) throw new Error(`no file system of its own for ${folder}`);
      const disk = join(`/proc/${holder.pid}/root`, folder);
      await admin.query(`CREATE TABLESPACE ${NAME} LOCATION '${disk}/space'`);
      await admin.query(`CREATE DATABASE ${NAME} TABLESPACE ${NAME}`);
      return new SmallTablespace(postgres.url(NAME), folder, { uid, gid }, holder);
    } finally {
      await admin.end();
    }
  }

  /** Uses all free space. */
  fill(): void {
    // It ends with an error when the disk is full.
    this.#run('head -c 1000000000 /dev/zero > "$0/ballast"');
  }

  free(): void {
    this.#run('rm -f "$0/ballast"');
  }

  async unmount(): Promise<void> {
    const ended = once(this.#holder, "close");
    this.#holder.stdin.end();
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** In that namespace there is no other account. */
  #run(script: string): void {
    const disk = join(`/proc/${this.#holder.pid}/root`, this.#folder);
    spawnSync("sh", ["-c", script, disk], { ...this.#account, cwd: "/", stdio: "ignore" });
  }
}
