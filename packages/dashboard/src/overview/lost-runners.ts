import type { RunnerRecord } from "@tenterhook/protocol/runs";

const DAY_MS = 86_400_000;

/** Runners that stopped responding in the last day, unless they were told to end, or one of the same name is connected and has replaced it. */
export function findLostRunners(runners: readonly RunnerRecord[], now: number): readonly RunnerRecord[] {
  const connected = new Set(runners.filter(({ state }) => state !== "gone").map(({ name }) => name));
  const lost = new Map<string, RunnerRecord>();
  for (const runner of runners) {
    const { name, state, seen_at, left_at } = runner;
    if (state !== "gone" || left_at !== null || connected.has(name) || now - Date.parse(seen_at) > DAY_MS)
      continue;
    const other = lost.get(name);
    if (other === undefined || other.seen_at < seen_at) lost.set(name, runner);
  }
  return [...lost.values()];
}
