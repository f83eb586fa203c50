import { spawn } from "node:child_process";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;

/** Ends a process and everything in its group: by SIGTERM first, then by SIGKILL. */
export function endProcessTree(pid: number): void {
  if (!signalProcessTree(pid, "SIGTERM")) return;
  // Keeps this process alive for that long, so that no process which ignores SIGTERM outlives it.
  setTimeout(() => signalProcessTree(pid, "SIGKILL"), GRACE_MS);
}

/**
 * Signals a process and everything in its group; false when none of them is left. Windows has neither groups nor SIGTERM: there
 * the process and its children are ended by any signal, and it is always false.
 */
export function signalProcessTree(pid: number, signal: NodeJS.Signals): boolean {
  if (process.platform === "win32") {
    const options = { stdio: "ignore", windowsHide: true } as const;
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], options).on("error", () => undefined);
    return false;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

const groups = new Set<number>();
process.on("exit", () => {
  for (const pid of groups) signalProcessTree(pid, "SIGKILL");
});

/**
 * Kills a process and everything in its group when this process exits, because signals of a terminal do not reach other groups. Returns
 * the function that stops watching it.
 */
export function killAtExit(pid: number): () => void {
  groups.add(pid);
  return () => groups.delete(pid);
}
