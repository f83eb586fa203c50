import { spawn } from "node:child_process";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;

/** Ends a process and everything in its group: by SIGTERM first, then by SIGKILL. */
export function endProcessTree(pid: number, platform: NodeJS.Platform = process.platform): void {
  if (platform === "win32") {
    killProcessTree(pid, platform);
    return;
  }
  if (!signalGroup(pid, "SIGTERM")) return;
  // Keeps this process alive for that long, so that no process which ignores SIGTERM outlives it.
  setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
}

/** Ends a process and everything in its group at once. */
export function killProcessTree(pid: number, platform: NodeJS.Platform = process.platform): void {
  if (platform !== "win32") {
    signalGroup(pid, "SIGKILL");
    return;
  }
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  killer.on("error", () => undefined);
}

function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
