import type { HookInUse, HookResultCount, HookResultOutcome } from "@tenterhook/protocol/runs";
import { countText } from "../components/count-text.ts";
import { durationText } from "../components/durations.ts";
import { formatCount } from "../components/format-count.ts";
import type { RunFilters } from "../runs/run-filters.ts";
import { NO_FILTERS, writeFilters } from "../runs/run-filters.ts";

/** The outcomes with a column of their own. */
export const COMMON_OUTCOMES = [
  "passed",
  "changed",
  "blocked",
  "failed",
] as const satisfies HookResultOutcome[];

/** The result with an outcome, if it occurred. */
export function findResult(
  { results }: Pick<HookInUse, "results">,
  outcome: HookResultOutcome,
): HookResultCount | undefined {
  return results.find((result) => result.outcome === outcome);
}

/** The results without a column of their own. */
export function rareResults({ results }: Pick<HookInUse, "results">): readonly HookResultCount[] {
  const common: readonly HookResultOutcome[] = COMMON_OUTCOMES;
  return results.filter(({ outcome }) => !common.includes(outcome));
}

/** `1,204`, or `10,000+` when counting stopped. */
export function callsText({ calls, more }: HookResultCount): string {
  return `${formatCount(calls)}${more ? "+" : ""}`;
}

/** `in 3 runs`, when a run had several calls. */
export function runsText({ calls, runs, more }: HookResultCount): string | undefined {
  if (runs === calls) return undefined;
  return `in ${countText(runs, "run", { isMore: more })}`;
}

/** The address of the list of the runs behind a number. */
export function runsOfResult(
  hook: string,
  outcome: HookResultOutcome | undefined,
  time: Pick<RunFilters, "since" | "from" | "to">,
) {
  const { since, from, to } = time;
  return writeFilters({
    ...NO_FILTERS,
    hook,
    hookOutcome: outcome === undefined ? [] : [outcome],
    since,
    from,
    to,
  });
}

/** `p50 12 ms, p95 3.4 s` */
export function percentileText({ p50_ms, p95_ms }: Pick<HookInUse, "p50_ms" | "p95_ms">): string {
  if (p50_ms === null || p95_ms === null) return "";
  return `p50 ${durationText(p50_ms)}, p95 ${durationText(p95_ms)}`;
}

type Latest = HookInUse["latest"];

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly state: Latest[number]["state"];
}

/** Keeps the shortest bars visible. */
const MIN_HEIGHT = 2;

/** The latest durations as bars from left to right, the longest as high as the chart. */
export function durationBars(
  latest: Latest,
  { width, height, columns }: { readonly width: number; readonly height: number; readonly columns: number },
): Bar[] {
  const longest = Math.max(1, ...latest.map(({ duration_ms }) => duration_ms));
  const step = width / columns;
  return latest.map(({ state, duration_ms }, index) => {
    const high = Math.max(MIN_HEIGHT, (duration_ms / longest) * height);
    return { x: index * step, y: height - high, width: step * 0.75, height: high, state };
  });
}

export function durationSummary(latest: Latest): string {
  if (latest.length === 0) return "no durations yet";
  const durations = latest.map(({ duration_ms }) => duration_ms);
  const count = (state: Bar["state"]) => latest.filter((each) => each.state === state).length;
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)].map(durationText);
  return `the latest ${latest.length} took ${shortest} to ${longest}; ${count("blocked")} blocked, ${count("failed")} failed`;
}
