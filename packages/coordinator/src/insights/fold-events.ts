import { isRecord } from "@tenterhook/internal";
import { costOf, type HookTally, type Prices } from "@tenterhook/protocol/runs";
import { readUsage } from "../lifecycle/index.ts";
import type { Json } from "../store/rows.ts";
import type { Pauses } from "./pauses.ts";
import type { FoldedEvent } from "./read-folded-events.ts";
import { type CalledHook, countInBucket, type ReadHookCalls, readHookCalls } from "./read-hook-calls.ts";
import { ReasonSums } from "./reason-sums.ts";
import { RollupSums } from "./rollup-sums.ts";
import { TABLES } from "./rollup-tables.ts";

/** The sums of a batch of events. */
export interface FoldedSums extends Readonly<Record<keyof typeof TABLES, RollupSums>> {
  readonly reasons: ReasonSums;
  /** When the first event with tallies was, if there is one: from then on calls that pass are known. */
  talliesSince: string | undefined;
}

/** An attempt that seems to be longer began before the clock of the store was set. Each quarter of an hour of it would be a row. */
const LONGEST_ATTEMPT_MS = 92 * 86_400_000;

const END_COLUMNS: ReadonlyMap<string, string> = new Map([
  ["run_completed", "completed"],
  ["run_failed", "failed"],
  ["run_stopped", "stopped"],
]);

/** Adds up what a batch of events says, with pauses for the other work of the process. Each event belongs to the slot of its own time. */
export async function foldEvents(
  events: readonly FoldedEvent[],
  prices: Prices,
  pauses: Pauses,
  nowMs: number,
): Promise<FoldedSums> {
  const tables = Object.keys(TABLES).map((table) => [table, new RollupSums(nowMs)]);
  const folded: FoldedSums = {
    ...(Object.fromEntries(tables) as Record<keyof typeof TABLES, RollupSums>),
    reasons: new ReasonSums(nowMs),
    talliesSince: undefined,
  };
  const folding = new Folding(folded, prices);
  for (const event of events) {
    if (event.is_counted) folding.add(event);
    await pauses.next();
  }
  addUp(folded);
  return folded;
}

/** Fills the tables that have what others have, by fewer keys. */
function addUp({ totals, decisions, agentDecisions, toolDecisions, hookTotals, ...sums }: FoldedSums): void {
  const { runs, hooks, models, runners } = sums;
  const { counts, amounts, histograms } = TABLES.hooks;
  hookTotals.addFrom(hooks, TABLES.hookTotals.keys, same(...counts, ...amounts, ...histograms));
  agentDecisions.addFrom(hooks, TABLES.agentDecisions.keys, same(...counts));
  toolDecisions.addFrom(hooks, TABLES.toolDecisions.keys, same(...counts));
  decisions.addFrom(hookTotals, TABLES.decisions.keys, same(...counts));
  totals.addFrom(runs, [], same(...TABLES.runs.counts, ...TABLES.runs.histograms));
  totals.addFrom(models, [], same(...TABLES.models.counts, ...TABLES.models.amounts));
  totals.addFrom(hookTotals, [], { hook_ms: "duration_ms", hook_durations: "durations" });
  totals.addFrom(runners, [], same("busy_ms"));
}

function same(...columns: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((column) => [column, column]));
}

class Folding {
  readonly #sums: FoldedSums;
  readonly #prices: Prices;

  constructor(sums: FoldedSums, prices: Prices) {
    this.#sums = sums;
    this.#prices = prices;
  }

  add(event: FoldedEvent): void {
    const { type } = event;
    const end = END_COLUMNS.get(type);
    if (type === "run_created") this.#run(event, "created");
    else if (type === "run_started") {
      // A run may be executed several times, and starts once.
      if (event.wait_ms !== null) this.#run(event, "started", { waits: countInBucket(event.wait_ms) });
    } else if (end !== undefined) {
      this.#run(
        event,
        end,
        event.duration_ms === null ? {} : { durations: countInBucket(event.duration_ms) },
      );
    } else this.#detail(event, type, event.data ?? {});
    this.#busy(event);
  }

  #run(event: FoldedEvent, column: string, more: Readonly<Record<string, readonly number[]>> = {}): void {
    this.#sums.runs.add(Date.parse(event.created_at), { agent: agentOf(event) }, { [column]: 1, ...more });
  }

  #busy({ runner, busy_since, created_at }: FoldedEvent): void {
    if (runner === null || busy_since === null) return;
    const to = Date.parse(created_at);
    this.#sums.runners.add(to, { runner }, { attempts: 1 });
    this.#sums.runners.addSpan(
      Math.max(Date.parse(busy_since), to - LONGEST_ATTEMPT_MS),
      to,
      { runner },
      "busy_ms",
    );
  }

  /** What happened in a run, or in a subagent of it. */
  #detail(event: FoldedEvent, type: string, data: Json): void {
    switch (type) {
      case "subagent":
        if (isRecord(data.event)) this.#detail(event, String(data.event.event_type), data.event);
        return;
      case "step_end":
        this.#usage(event, data);
        return;
      case "hook_tallies":
        this.#sums.talliesSince ??= event.created_at;
    }
    this.#hooks(event, readHookCalls(type, data));
  }

  #usage(event: FoldedEvent, data: Json): void {
    const used = readUsage({ type: "step_end", data });
    if (used === undefined) return;
    const { model, input_tokens, output_tokens } = used;
    const cost = costOf([{ model: model ?? undefined, input_tokens, output_tokens }], this.#prices);
    const sums = {
      calls: 1,
      input_tokens: Math.round(input_tokens),
      output_tokens: Math.round(output_tokens),
      cost: cost ?? 0,
      unpriced_calls: cost === undefined ? 1 : 0,
    };
    const keys = { agent: agentOf(event), model: model ?? "" };
    this.#sums.models.add(Date.parse(event.created_at), keys, sums);
  }

  #hooks(event: FoldedEvent, { calls, reason }: ReadHookCalls): void {
    for (const each of calls) this.#calls(event, each, each);
    if (reason !== undefined) this.#reason(event, reason, reason.outcome, reason.reason);
  }

  #calls(
    event: FoldedEvent,
    { hook, kind, event: on }: CalledHook,
    { tool = "", outcome, count, duration_ms, durations }: Omit<HookTally, "hook" | "event">,
  ): void {
    const keys = { hook, kind, event: on, agent: agentOf(event), tool, outcome };
    this.#sums.hooks.add(Date.parse(event.created_at), keys, { count, duration_ms, durations });
  }

  #reason(event: FoldedEvent, { hook, kind, event: on }: CalledHook, outcome: string, reason: string): void {
    const keys = { hook, kind, event: on, agent: agentOf(event), outcome };
    this.#sums.reasons.add(Date.parse(event.created_at), keys, reason, event.run_id);
  }
}

/** A run that has been removed leaves its agent unknown, but for the event of its creation. */
function agentOf({ agent, data }: FoldedEvent): string {
  return agent ?? (typeof data?.agent_name === "string" ? data.agent_name : "");
}
