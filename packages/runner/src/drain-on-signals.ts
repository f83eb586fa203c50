import { constants } from "node:os";
import type { Runner } from "./runner.ts";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Lets the runner drain when the process is told to end; told a second time, the process exits at once, and the processes
 * of its runs with it. Returns the undo.
 */
export function drainOnSignals(
  runner: Runner,
  { exit = process.exit }: { readonly exit?: (code: number) => void } = {},
): () => void {
  let isDraining = false;
  const heed = (signal: NodeJS.Signals) => {
    if (isDraining) {
      exit(128 + constants.signals[signal]);
      return;
    }
    isDraining = true;
    void runner.drain().finally(undo);
  };
  const undo = () => {
    for (const signal of SIGNALS) process.off(signal, heed);
  };
  for (const signal of SIGNALS) process.on(signal, heed);
  return undo;
}
