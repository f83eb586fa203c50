import { spawn } from "node:child_process";
import { accessSync, closeSync, constants, openSync, readFileSync, rmSync, statSync } from "node:fs";
import {
  FRONT_LATE,
  isResident,
  makeResidentFolder,
  type ResidentFiles,
  readAbout,
  residentFiles,
} from "@tenterhook/bridges/resident";
import { findLocations } from "@tenterhook/file-hooks";
import { isDaemonEnabled } from "@tenterhook/file-hooks/discover";
import { endIfStopped } from "./end-if-stopped.ts";
import type { BridgeOptions } from "./options.ts";
import { SMALL_MEMORY } from "./small-memory.ts";

/** A resident process that was waited for in vain is replaced, unless it answers the new one. */
const LATE = String(FRONT_LATE);

/** A resident process listens sooner than this, or was killed. */
const START_MS = 30_000;

/**
 * Starts a resident process for the next calls, unless there is one. It has none of the client's pipes and variables. Many bridges that end
 * at the same moment start one. Never throws: the call is answered already, and `doctor` says why no resident process runs.
 */
export async function startResident(folder: string, { pins, env, front }: BridgeOptions): Promise<void> {
  try {
    const { state, userHooks } = findLocations("/", env);
    if (isSandboxed() || !isOwnState(state)) return;
    if (makeResidentFolder(folder, process.getuid?.() ?? -1) !== undefined) return;
    const files = residentFiles(folder);
    const isServed = hasProcess(files) && front !== LATE;
    if (isServed || !(await isDaemonEnabled(userHooks)) || !claim(files.lock)) return;
    const [node = process.execPath, bridge = ""] = process.argv;
    const { HOME, LANG } = env;
    const child = spawn(node, [...SMALL_MEMORY, bridge, "daemon", "--folder", folder, ...pins], {
      cwd: "/",
      detached: true,
      stdio: "ignore",
      env: {
        PATH: "/usr/bin:/bin",
        ...(HOME !== undefined && { HOME }),
        ...(LANG !== undefined && { LANG }),
      },
    });
    child.on("error", () => rmSync(files.lock, { force: true }));
    child.unref();
  } catch {
    // The next call is answered by the cold bridge too.
  }
}

/** A process that was started in a sandbox would answer the calls from outside of it. */
function isSandboxed(): boolean {
  const isPrivileged = /^NoNewPrivs:\s*0$/m.test(readFileSync("/proc/self/status", "utf8"));
  const isFirstNamespace = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync("/proc/self/uid_map", "utf8"));
  return !isPrivileged || !isFirstNamespace;
}

/** Throws if it does not exist, or is not writable. */
function isOwnState(state: string): boolean {
  accessSync(state, constants.W_OK);
  return statSync(state).uid === process.getuid?.();
}

function hasProcess(files: ResidentFiles): boolean {
  const about = readAbout(files);
  if (about === undefined || !isResident(about.pid, files.folder)) return false;
  if (endIfStopped(about.pid, files)) return false;
  return statSync(files.socket, { throwIfNoEntry: false })?.isSocket() === true;
}

/** Whether this process is the one that starts it. A claim that has led to nothing is removed, for the next call. */
function claim(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch {
    if (Date.now() - statSync(lock).mtimeMs > START_MS) rmSync(lock, { force: true });
    return false;
  }
}
