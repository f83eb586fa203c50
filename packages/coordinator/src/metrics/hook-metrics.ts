import { isRecord } from "@tenterhook/internal";
import { BUCKET_LIMITS_MS, costOf, type Prices, TALLY_OUTCOMES } from "@tenterhook/protocol/runs";
import { type HookCalls, readHookCalls } from "../insights/read-hook-calls.ts";
import { readUsage } from "../lifecycle/index.ts";
import type { EventRow, Json } from "../store/rows.ts";
import { Counter, Durations } from "./metric.ts";
import { MostUsed, OTHER } from "./most-used.ts";

/** So many hooks and models have series of their own. Names are what runners report, and models and people invent them. */
export const MAX_HOOKS = 50;
export const MAX_MODELS = 20;

const OUTCOMES: ReadonlySet<string> = new Set(TALLY_OUTCOMES);
/** Of the limits in which durations are reported, those that a chart needs: each is a line for each hook. */
const BOUNDS_MS = [1, 5, 25, 100, 500, 1_000, 5_000, 30_000, 60_000, 300_000];
/** For each bucket of a report, the bound that it is counted under. */
const BOUND_OF_BUCKET = BUCKET_LIMITS_MS.map((limit) => BOUNDS_MS.findIndex((bound) => limit <= bound));

/** What hooks decide and models use, of the whole fleet, with a bounded number of series. */
export class HookMetrics {
  readonly #prices: Prices;
  readonly #decisions = new Counter(
    "tenterhook_hook_decisions_total",
    "Calls of hooks of the fleet by outcome, those on runners included.",
  );
  readonly #times = new Durations(
    "tenterhook_hook_call_duration_seconds",
    "How long calls of hooks of the fleet took, those on runners included.",
    BOUNDS_MS.map((ms) => ms / 1_000),
  );
  readonly #tokens = new Counter("tenterhook_tokens_total", "Tokens of model calls of the fleet.");
  readonly #calls = new Counter("tenterhook_model_calls_total", "Steps of the fleet with model calls.");
  readonly #cost = new Counter(
    "tenterhook_cost_total",
    "Cost of model calls of the fleet that have a price.",
  );
  readonly #hooks = new MostUsed(MAX_HOOKS, (hook) => {
    for (const metric of [this.#decisions, this.#times]) metric.remove("hook", hook);
  });
  readonly #models = new MostUsed(MAX_MODELS, (model) => {
    for (const metric of [this.#tokens, this.#calls, this.#cost]) metric.remove("model", model);
  });

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  /** Counts an event of the stream. */
  count({ type, data }: Pick<EventRow, "type" | "data">): void {
    if (type === "subagent") {
      if (isRecord(data.event)) this.count({ type: String(data.event.event_type), data: data.event });
    } else if (type === "step_end") this.#countUsage(data);
    else for (const calls of readHookCalls(type, data).calls) this.#countCalls(calls);
  }

  #countCalls({ hook, kind, outcome, count, duration_ms, durations }: HookCalls): void {
    const name = this.#hooks.choose(hook, count);
    const labels = { kind, hook: name };
    this.#decisions.add({ ...labels, outcome: OUTCOMES.has(outcome) ? outcome : OTHER }, count);
    const timed = durations.reduce((sum, times) => sum + times, 0);
    if (timed === 0) return;
    const series = this.#times.series(labels);
    for (const [bucket, times] of durations.entries()) series.addTo(BOUND_OF_BUCKET[bucket] ?? -1, times);
    series.sum += duration_ms / 1_000;
  }

  #countUsage(data: Json): void {
    const used = readUsage({ type: "step_end", data });
    if (used === undefined) return;
    const { model, input_tokens, output_tokens } = used;
    const name = this.#models.choose(model ?? "", 1);
    this.#calls.add({ model: name });
    this.#tokens.add({ model: name, direction: "input" }, input_tokens);
    this.#tokens.add({ model: name, direction: "output" }, output_tokens);
    const cost = costOf([{ model: model ?? undefined, input_tokens, output_tokens }], this.#prices);
    if (cost !== undefined) this.#cost.add({ model: name, currency: this.#prices.currency }, cost);
  }

  toString(): string {
    return [this.#decisions, this.#times, this.#calls, this.#tokens, this.#cost].join("");
  }
}
