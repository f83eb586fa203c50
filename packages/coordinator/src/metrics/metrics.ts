import { type Prices, RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { isFinal, RUN_STATES } from "../domain/run-state.ts";
import { cursorText, type EventFeed } from "../events/feed.ts";
import { type HookQueue, readHookQueue } from "../lists/hook-queue.ts";
import { UNFINISHED_STATES } from "../lists/unfinished.ts";
import type { RepeatedFailures } from "../repeated-failures.ts";
import type { EventRow } from "../store/rows.ts";
import { HookMetrics, MAX_HOOKS } from "./hook-metrics.ts";
import { limitQueue } from "./limit-queue.ts";
import { Counter, type DurationSeries, Durations, gauge } from "./metric.ts";

const HOOK_TYPES: ReadonlySet<unknown> = new Set(RUN_HOOK_TYPES);

const UNFINISHED: Statement = {
  name: "count-unfinished-runs",
  text: `
    SELECT state, count(*) AS count FROM (${UNFINISHED_STATES}) AS unfinished GROUP BY state`,
};
const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const LONG = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

/** The series that a response of one kind is counted in. */
interface AnswerCounts {
  readonly time: DurationSeries;
  readonly counts: readonly { count: number }[];
}

/**
 * The metrics of this coordinator. Requests, claims and reports are its own; ends of runs and hooks are counted from the event
 * stream, so they are those of the whole fleet, the same on every coordinator of a store.
 */
export class Metrics {
  // By method, status and route: finding the counts anew for every request would cost more than counting.
  readonly #answers = new Map<string, AnswerCounts>();
  readonly #requests = new Counter("tenterhook_http_requests_total", "Requests answered here.");
  readonly #requestTimes = new Durations(
    "tenterhook_http_request_duration_seconds",
    "How long requests took here, waiting included.",
    SHORT,
  );
  readonly #claims = new Counter("tenterhook_run_claims_total", "Runs given to runners here.");
  readonly #reports = new Counter("tenterhook_runner_reports_total", "Reports of runners here.");
  readonly #ended = new Counter("tenterhook_runs_ended_total", "Runs of the fleet that ended.");
  readonly #hooks = new Counter("tenterhook_hooks_total", "Hooks of the fleet that ended.");
  readonly #hookTimes = new Durations(
    "tenterhook_hook_duration_seconds",
    "How long hooks of the fleet took.",
    LONG,
  );
  readonly #calls: HookMetrics;

  /** The prices are for the cost of model calls. */
  constructor(prices: Prices) {
    this.#calls = new HookMetrics(prices);
  }

  /** Counts a request that was answered. */
  answered(route: string, method: string, status: number, ms: number): void {
    const key = `${method} ${status} ${route}`;
    const counts = this.#answers.get(key) ?? this.#countsOf(route, method, String(status));
    this.#answers.set(key, counts);
    counts.time.observe(ms / 1_000);
    for (const each of counts.counts) each.count += 1;
  }

  #countsOf(route: string, method: string, status: string): AnswerCounts {
    const counts = [this.#requests.series({ route, method, status })];
    const [, side, runs, , report] = route.split("/");
    if (side === "runner" && runs === "runs") {
      if (report !== undefined) counts.push(this.#reports.series({ report, status }));
      else if (status === "200") counts.push(this.#claims.series({}));
    }
    return { time: this.#requestTimes.series({ route, method }), counts };
  }

  /** Counts the events of the stream, from now on. */
  listen(feed: EventFeed, failures: RepeatedFailures): () => void {
    return feed.listen((events) => {
      for (const event of events) {
        try {
          this.#count(event);
          this.#calls.count(event);
        } catch (error) {
          // The others of the batch count.
          failures.countSetAside(
            `the event ${cursorText(event)} (${event.type}), which metrics do not count,`,
            error,
          );
        }
      }
    });
  }

  /** Everything, as Prometheus reads it. */
  async text(queries: Queries, now: Readonly<Record<string, readonly [help: string, value: number]>>) {
    const counts = await queries.run<{ state: string; count: number }>(UNFINISHED);
    const unfinished = new Map(counts.map(({ state, count }) => [state, count]));
    const states = RUN_STATES.filter((state) => !isFinal(state)).map(
      (state) => [{ state }, unfinished.get(state) ?? 0] as const,
    );
    const queue = limitQueue(await readHookQueue(queries), MAX_HOOKS);
    const labels = ({ kind, hook_type, name }: HookQueue) => ({ kind, type: hook_type, hook: name });
    return [
      gauge(
        "tenterhook_hook_queue",
        "Hooks of the fleet that wait to be called or begun, those between attempts included.",
        queue.map((each) => [labels(each), each.count] as const),
      ),
      gauge(
        "tenterhook_hook_queue_oldest_seconds",
        "How long the oldest of them has waited.",
        queue.map((each) => [labels(each), each.oldest_seconds] as const),
      ),
      gauge("tenterhook_runs", "Runs of the fleet that have not ended.", states),
      ...Object.entries(now).map(([name, [help, value]]) => gauge(name, help, [[{}, value]])),
      ...[this.#requests, this.#requestTimes, this.#claims, this.#reports],
      ...[this.#ended, this.#hooks, this.#hookTimes, this.#calls],
    ].join("");
  }

  #count({ type, data }: EventRow): void {
    if (type === "run_completed" || type === "run_failed" || type === "run_stopped") {
      this.#ended.add({ state: type.slice("run_".length) });
      return;
    }
    const outcome = readOutcome(type, data.action);
    const { hook_type, duration_ms } = data;
    // Hooks on a runner's machine are reported by the same event types, and are not counted here.
    if (outcome === undefined || !HOOK_TYPES.has(hook_type)) return;
    this.#hooks.add({ type: String(hook_type), outcome });
    if (typeof duration_ms === "number") {
      this.#hookTimes.series({ type: String(hook_type) }).observe(duration_ms / 1_000);
    }
  }
}

function readOutcome(type: string, action: unknown): string | undefined {
  switch (type) {
    // A hook that blocked has two events: that it is complete, and that it blocked.
    case "hook_complete":
      return action === "block" ? undefined : "done";
    case "hook_blocked":
      return "blocked";
    case "hook_failed":
      return "failed";
    default:
      return undefined;
  }
}
