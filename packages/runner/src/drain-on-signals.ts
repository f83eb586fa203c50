import { constants } from "node:os";
import type { Runner } from "./runner.ts";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Drains the runner on SIGTERM or SIGINT. On a second signal the process exits at once, with the processes of its runs. Returns the
 * function that removes the listeners.
 */
export function drainOnSignals(
  runner: Runner,
  { exit = process.exit }: { readonly exit?: (code: number) => void } = {},
): () => void {
  let isDraining = false;
  const handle = (signal: NodeJS.Signals) => {
    if (isDraining) {
      exit(128 + constants.signals[signal]);
      return;
    }
    isDraining = true;
    void runner.drain().finally(remove);
  };
  const remove = () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return remove;
}
