import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { TenterhookError } from "@tenterhook/protocol";
import { processStart } from "./process-start.ts";

const ATTEMPTS = 6;
// Without the domain, which on a laptop changes with the network.
const HOST = hostname().replace(/\..*/, "");

/**
 * Claims a database folder for this process, or throws `store_locked`. Two processes in one folder would both report success,
 * and one's rows would vanish; PGlite does not notice.
 *
 * Beside the folder lies `<folder>.lock/`, with one file per claim, named after its process. Whoever wants the folder first
 * writes its own claim and then looks for others: of two that come at once, at least the later sees the earlier. A file whose
 * process is gone is removed by anybody; no other process will ever have its name.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  // Two paths to one folder must find the same claims.
  const parent = await realpath(dirname(folder));
  const claims = join(parent, `${basename(folder)}.lock`);
  await mkdir(claims, { recursive: true, mode: 0o700 });
  const own = claimName({
    pid: process.pid,
    start: processStart(process.pid) ?? "unknown",
    host: HOST,
  });
  for (let attempt = 1; ; attempt += 1) {
    const holder = claim(claims, own);
    if (holder === undefined) return () => rm(join(claims, own), { force: true });
    if (attempt === ATTEMPTS) throw locked(folder, claims, holder);
    // Two that came at once have both stepped back; different waits let one of them through.
    await pause(10 + Math.random() * 60);
  }
}

interface Claim {
  readonly pid: number;
  /** Tells a process from a later one with the same number. */
  readonly start: string;
  readonly host: string;
}

/** Returns who is in the way, if anybody. Synchronous, because the shorter it takes the fewer meet in it. */
function claim(claims: string, own: string): Claim | undefined {
  try {
    writeFileSync(join(claims, own), "", { flag: "wx" });
  } catch (error) {
    // This very process has it open.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return readClaim(own);
    throw error;
  }
  for (const name of readdirSync(claims)) {
    const other = readClaim(name);
    if (name === own || other === undefined) continue;
    if (isAlive(other)) {
      rmSync(join(claims, own), { force: true });
      return other;
    }
    rmSync(join(claims, name), { force: true });
  }
  return undefined;
}

function isAlive({ pid, start, host }: Claim): boolean {
  // Of another machine nothing can be known, so its claim stands.
  if (host !== HOST) return true;
  const current = processStart(pid);
  return current !== undefined && (current === start || current === "unknown" || start === "unknown");
}

function claimName({ pid, start, host }: Claim): string {
  return `${pid}.${start}.${host}`;
}

function readClaim(name: string): Claim | undefined {
  const [, pid, start, host] = /^(\d+)\.([^.]+)\.(.+)$/.exec(name) ?? [];
  if (pid === undefined || start === undefined || host === undefined) return undefined;
  return { pid: Number(pid), start, host };
}

function locked(folder: string, claims: string, { pid, host }: Claim): TenterhookError {
  const isHere = host === HOST;
  const holder = !isHere
    ? `process ${pid} on ${host}`
    : pid === process.pid
      ? `this process (${pid})`
      : `process ${pid}`;
  return new TenterhookError("store_locked", `The database in ${folder} is in use by ${holder}.`, {
    hint: isHere
      ? "Stop it, choose another data folder, or use a PostgreSQL server for several coordinators."
      : `If that machine no longer uses it, remove ${claims}.`,
  });
}
