import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "@tenterhook/file-hooks";
import type { EventName, Outcome, Payload } from "@tenterhook/protocol";

/** Hooks that run after the bridge has answered, in a process of their own. */
export interface Job {
  readonly client: string;
  readonly nativeEvent: string;
  readonly folders: readonly string[];
  readonly steps: readonly JobStep[];
}

export interface JobStep {
  readonly event: EventName;
  readonly payload: Payload<EventName>;
  /** How the event ended; background hooks are called with it. */
  readonly outcome: Outcome;
  readonly by?: string;
  /** `all`: no hook was asked before. */
  readonly hooks: "background" | "all";
}

/** At most this many jobs wait at once; further jobs are dropped. */
const MAX_PENDING_JOBS = 64;
/** An older job belongs to a process that was killed. */
const KEPT_MS = 60 * 60 * 1000;

/** Writes a job to a file for the process that runs it; `undefined` when too many are waiting, or it cannot be written. */
export function storeJob(state: string, job: Job): string | undefined {
  try {
    const folder = join(state, "bridge", "jobs");
    makeFolders(folder);
    if (countPending(folder) >= MAX_PENDING_JOBS) return undefined;
    const path = join(folder, `${Date.now()}-${process.pid}-${process.hrtime()[1]}.json`);
    writeFileSync(path, JSON.stringify(job), { mode: 0o600, flag: "wx" });
    return path;
  } catch {
    return undefined;
  }
}

export function readJob(path: string): Job {
  return JSON.parse(readFileSync(path, "utf8")) as Job;
}

function countPending(folder: string): number {
  const names = readdirSync(folder);
  if (names.length < MAX_PENDING_JOBS) return names.length;
  for (const name of names) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
  return readdirSync(folder).length;
}
