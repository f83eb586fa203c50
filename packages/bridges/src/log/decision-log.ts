import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { redactValue } from "@tenterhook/engine/built-in";

/** One thing that a bridge decided, as `tenterhook log` reads it. */
export interface DecisionRecord {
  readonly time: string;
  /** Our event. */
  readonly event: string;
  readonly client: string;
  /** The client's name of the event. */
  readonly native_event: string;
  readonly session_id?: string | undefined;
  readonly project?: string | undefined;
  readonly tool_name?: string | undefined;
  /** What the call is about: the command, the file. */
  readonly subject?: string | undefined;
  readonly outcome: string;
  readonly action: string;
  readonly decided_by?: string | undefined;
  readonly reason?: string | undefined;
  /** What the client was told. */
  readonly told: string;
  /** From the start of the bridge's process. */
  readonly duration_ms: number;
  readonly entries: readonly DecisionEntry[];
  readonly notes?: readonly string[] | undefined;
}

export interface DecisionEntry {
  readonly hook: string;
  readonly verdict: string;
  readonly duration_ms?: number | undefined;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
}

const MAX_BYTES = 10 * 1_048_576;
const KEPT_FILES = 3;
/** A process that holds the lock for longer was killed. */
const LOCK_MS = 10_000;

/** The file that all decisions go to; older parts stand beside it as `.1`, `.2`, `.3`. */
export function decisionLogFile(state: string): string {
  return join(state, "audit.jsonl");
}

/** Appends a record, without secrets. It never throws: an answer must not wait for a log. False when it could not be written. */
export function logDecision(state: string, record: DecisionRecord): boolean {
  try {
    const path = decisionLogFile(state);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    append(path, `${JSON.stringify(redactValue(record))}\n`);
    return true;
  } catch {
    return false;
  }
}

function append(path: string, line: string): void {
  const file = openSync(path, "a", 0o600);
  let size: number;
  try {
    const stats = fstatSync(file);
    // It may have been there before us, readable by everyone.
    if (stats.isFile() && (stats.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    // One write: lines of several processes do not mix.
    writeSync(file, line);
    size = stats.size + line.length;
  } finally {
    closeSync(file);
  }
  if (size > MAX_BYTES) setAside(path);
}

/** Moves a full file to `.1` and the older ones on. Of several processes one does it. */
function setAside(path: string): void {
  const lock = `${path}.lock`;
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    const held = statSync(lock, { throwIfNoEntry: false });
    if (held !== undefined && Date.now() - held.mtimeMs > LOCK_MS) rmSync(lock, { force: true });
    return;
  }
  try {
    if (statSync(path).size <= MAX_BYTES) return;
    for (let number = KEPT_FILES; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${number}`);
    }
  } finally {
    rmSync(lock, { force: true });
  }
}
