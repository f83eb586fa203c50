import { COMPLETE } from "@tenterhook/bridges/bridge";
import { isRunning } from "@tenterhook/internal/files";

/** How often it is checked whether the installed script still runs. */
const CHECK_MS = 100;

/** The exit code of a complete answer: the client's own, or what proves to the installed script that the answer is complete. */
export function completeExit(exit: 0 | 2, wrapper: number | undefined): number {
  if (wrapper === undefined) return exit;
  return exit === 0 ? COMPLETE.passed : COMPLETE.refused;
}

/**
 * Calls `ended` once the installed script is gone: a signal ends the script at once, and SIGKILL without a word to this process. `wrapper`
 * is the script's process, and the parent a subshell of it. On Windows the script does not know its process (0), and is the parent.
 */
export function watchWrapper(wrapper: number, ended: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent || !isRunning(wrapper || parent)) ended();
  }, CHECK_MS).unref();
}
