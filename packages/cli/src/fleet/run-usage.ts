import type { Prices, RunDetail, RunEvent, RunSummary } from "@tenterhook/protocol/runs";
import type { CoordinatorClient } from "./coordinator-client.ts";

/** What the model calls of a run used, and what they cost where their prices are configured. */
export interface RunUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number | null;
  readonly currency: string;
}

/** The usage of a run with more events is not computed: reading them would take too long. */
const MAX_EVENTS = 20_000;
/** How many runs are read at once. */
const AT_ONCE = 4;

/** Undefined when the run has reported no usage. */
export async function usageOfRun(
  client: CoordinatorClient,
  { run_id, started_at, event_count = 0 }: Pick<RunSummary, "run_id" | "started_at"> & Partial<RunDetail>,
  prices: Prices,
): Promise<RunUsage | undefined> {
  if (started_at === null || event_count > MAX_EVENTS) return undefined;
  const events: RunEvent[] = [];
  for await (const event of client.runs.storedEvents(run_id)) {
    if (USAGE_EVENTS.has(event.event_type)) events.push(event);
  }
  const { callsOf, costOf, totalUsage, usageOf } = await import("@tenterhook/protocol/runs");
  const calls = callsOf(events);
  // A run that has not ended has not reported its sum yet.
  const used = usageOf(events) ?? totalUsage(calls);
  if (used === undefined) return undefined;
  const { input_tokens, output_tokens } = used;
  return { input_tokens, output_tokens, cost: costOf(calls, prices) ?? null, currency: prices.currency };
}

/** The events from which usage is computed; the others need not be kept. */
const USAGE_EVENTS: ReadonlySet<string> = new Set(["agent_usage", "step_end", "subagent"]);

/** The usage of listed runs, where prices are configured; undefined elsewhere, because it takes a request for every run. */
export async function usageOfRuns(
  client: CoordinatorClient,
  runs: readonly RunSummary[],
): Promise<ReadonlyMap<string, RunUsage> | undefined> {
  const prices = await client.coordinator.readPrices();
  if (Object.keys(prices.models).length === 0) return undefined;
  const found = new Map<string, RunUsage>();
  const rest = [...runs];
  const work = async () => {
    for (let run = rest.shift(); run !== undefined; run = rest.shift()) {
      const usage = await usageOfRun(client, run, prices);
      if (usage !== undefined) found.set(run.run_id, usage);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** `1,203 tokens in, 88 out, $0.01` */
export async function usageText(usage: RunUsage): Promise<string> {
  const { costText, tokensText } = await import("@tenterhook/protocol/runs");
  const { cost, currency } = usage;
  return `${tokensText(usage)}${cost === null ? "" : `, ${costText(cost, currency)}`}`;
}
