import type { HookEvent } from "@tenterhook/engine";

/** How often a hook ran, how it ended, and how long it took. */
export interface HookMetric {
  readonly name: string;
  /** The event that it stands on; `stream` for stream hooks. */
  readonly event: string;
  /** One for each time that its event fired, however often it was asked. */
  readonly runs: number;
  /** How often it was asked once more, because a later hook changed what it had let pass. Not among the runs. */
  readonly rejudged: number;
  /** How often it refused. */
  readonly blocked: number;
  /** How often it threw, ran out of time, was cancelled or answered nonsense. */
  readonly failures: number;
  readonly totalMs: number;
  /** Half of the latest runs took no longer than this. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** How many of the latest durations are kept of each hook, for the percentiles. */
const KEPT = 1_000;

/** Of so many hooks: a host may register one for every request that it serves, and undo it again. */
const MOST_HOOKS = 1_000;

/** Counts what hooks do. What it needs does not grow with the number of runs. */
export class HookMetrics {
  readonly #tallies = new Map<string, Tally>();

  /** Takes what the engine tells of hooks. */
  note({ type, event, hookName, durationMs = 0, error, judging }: HookEvent): void {
    if (judging && (type === "hook:completed" || type === "hook:error")) {
      this.#tally(hookName, event).judgedAgain(durationMs, type === "hook:error");
      return;
    }
    if (type === "hook:completed") this.ran(hookName, event, durationMs, false);
    else if (type === "hook:error") this.ran(hookName, event, durationMs, true);
    // A hook that refuses by failing counts as a failure, once.
    else if (type === "hook:blocked" && error === undefined) this.#tally(hookName, event).blocked++;
  }

  ran(name: string, event: string, durationMs: number, failed: boolean): void {
    this.#tally(name, event).add(durationMs, failed);
  }

  list(): readonly HookMetric[] {
    return [...this.#tallies.values()].map((tally) => tally.metric());
  }

  reset(): void {
    this.#tallies.clear();
  }

  /** A pre-hook and a post-hook may have one name. */
  #tally(name: string, event: string): Tally {
    const key = `${event} ${name}`;
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#tallies.keys();
    if (oldest !== undefined && this.#tallies.size >= MOST_HOOKS) this.#tallies.delete(oldest);
    const tally = new Tally(name, event);
    this.#tallies.set(key, tally);
    return tally;
  }
}

class Tally {
  readonly #name: string;
  readonly #event: string;
  readonly #latest: number[] = [];
  #runs = 0;
  #rejudged = 0;
  #failures = 0;
  #totalMs = 0;
  blocked = 0;

  constructor(name: string, event: string) {
    this.#name = name;
    this.#event = event;
  }

  add(durationMs: number, failed: boolean): void {
    // A ring: the newest takes the place of the oldest.
    this.#latest[this.#runs % KEPT] = durationMs;
    this.#runs++;
    this.#totalMs += durationMs;
    if (failed) this.#failures++;
  }

  judgedAgain(durationMs: number, failed: boolean): void {
    this.#rejudged++;
    this.#totalMs += durationMs;
    if (failed) this.#failures++;
  }

  metric(): HookMetric {
    const sorted = this.#latest.toSorted((a, b) => a - b);
    return {
      name: this.#name,
      event: this.#event,
      runs: this.#runs,
      rejudged: this.#rejudged,
      blocked: this.blocked,
      failures: this.#failures,
      totalMs: this.#totalMs,
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
    };
  }
}

/** By nearest rank: a duration that really was. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
