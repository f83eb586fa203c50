import type { HookLifecycleEvent } from "@tenterhook/engine";
import { BoundedMap } from "@tenterhook/internal";

/** Counts and durations of one hook. */
export interface HookMetric {
  readonly name: string;
  /** The event that it is registered on; `stream` for stream hooks. */
  readonly event: string;
  /** One for each time that its event fired; second judgements are not counted. */
  readonly runs: number;
  /** Second judgements, after a later hook changed the value. Not counted in `runs`. */
  readonly rejudged: number;
  /** How often it blocked or stopped. */
  readonly blocked: number;
  /** How often it threw, timed out, was cancelled or returned an invalid answer. */
  readonly failures: number;
  readonly totalMs: number;
  /** The median of the latest runs. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** The number of latest durations of each hook, for the percentiles. */
const MAX_DURATIONS = 1_000;

/** A limit, because a host may register and unregister a hook for every request that it serves. */
const MAX_HOOKS = 1_000;

/** Counts what hooks do. Its memory does not grow with the number of runs. */
export class HookMetrics {
  readonly #tallies = new BoundedMap<string, Tally>(MAX_HOOKS);

  /** Records a hook event of the engine. */
  record({ type, event, hookName, durationMs = 0, error, judging }: HookLifecycleEvent): void {
    if (type === "hook:completed" || type === "hook:error") {
      this.add(hookName, event, durationMs, type === "hook:error", judging);
      // A hook that refuses by failing counts as a failure, once.
    } else if (type === "hook:blocked" && error === undefined) this.#tally(hookName, event).blocked++;
  }

  add(name: string, event: string, durationMs: number, failed: boolean, judging = false): void {
    const tally = this.#tally(name, event);
    if (judging) tally.rejudged++;
    // A ring buffer: the newest replaces the oldest.
    else tally.latest[tally.runs++ % MAX_DURATIONS] = durationMs;
    tally.totalMs += durationMs;
    if (failed) tally.failures++;
  }

  list(): readonly HookMetric[] {
    return [...this.#tallies.values()].map(({ latest, ...counts }) => {
      const sorted = latest.toSorted((a, b) => a - b);
      return { ...counts, p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95) };
    });
  }

  reset(): void {
    this.#tallies.clear();
  }

  /** A pre-hook and a post-hook may have one name. */
  #tally(name: string, event: string): Tally {
    const key = `${event} ${name}`;
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const tally = { name, event, runs: 0, rejudged: 0, blocked: 0, failures: 0, totalMs: 0, latest: [] };
    this.#tallies.set(key, tally);
    return tally;
  }
}

type Tally = {
  -readonly [Field in Exclude<keyof HookMetric, "p50Ms" | "p95Ms">]: HookMetric[Field];
} & { readonly latest: number[] };

/** By nearest rank: one of the measured durations. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
