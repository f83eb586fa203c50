import { isRunning } from "@tenterhook/internal/files";

/** How often it is checked whether a process still runs. */
const CHECK_MS = 100;

/** Calls `ended` while a process does not run, or `isGone` says so. Keeps no process alive. Returns the function that stops it. */
export function watchProcess(pid: number, ended: () => void, isGone = (): boolean => false): () => void {
  const timer = setInterval(() => {
    if (isGone() || !isRunning(pid)) ended();
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}
