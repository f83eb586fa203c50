import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToParentOwner, makeFolders } from "@tenterhook/internal/files";
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

/** At most this many jobs wait or run at once; further jobs are dropped. */
export const MAX_JOBS = 64;
/** A hook may take ten minutes at most; one more minute for starting and logging. */
export const LONGEST_STEP_MS = 11 * 60 * 1000;
/** An older job belongs to a process that was killed. */
const KEPT_MS = LONGEST_STEP_MS + 60 * 1000;

/** Writes a job to a file for the process that runs it; `undefined` when there are too many, or it cannot be written. */
export function storeJob(state: string, job: Job): string | undefined {
  const folder = join(state, "bridge", "jobs");
  const path = join(folder, `${Date.now()}-${process.pid}-${process.hrtime()[1]}.json`);
  try {
    makeFolders(folder);
    if (countJobs(folder) >= MAX_JOBS) return undefined;
    writeFileSync(path, JSON.stringify(job), { mode: 0o600, flag: "wx" });
    giveToParentOwner(path);
    return path;
  } catch {
    // On a full disk a part of it is there, which would count as a job.
    endJob(path);
    return undefined;
  }
}

export function readJob(path: string): Job {
  return JSON.parse(readFileSync(path, "utf8")) as Job;
}

/** Shows that a job still runs. */
export function continueJob(path: string): void {
  try {
    const now = Date.now() / 1_000;
    utimesSync(path, now, now);
  } catch {
    // It is not counted then.
  }
}

/** The file of a job is there until its hooks have ended: it is counted among those that run. */
export function endJob(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is removed when it is old.
  }
}

function countJobs(folder: string): number {
  const names = readdirSync(folder);
  if (names.length < MAX_JOBS) return names.length;
  for (const name of names) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
  return readdirSync(folder).length;
}
