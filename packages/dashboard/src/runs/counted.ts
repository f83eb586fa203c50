import { type Insights, readHookKey } from "@tenterhook/protocol/runs";
import { formatCount } from "../components/format-count.ts";
import type { InsightFilters } from "../insights/insights-query.ts";
import { outcomeLabel } from "../insights/outcome-groups.ts";
import { countText } from "./count-text.ts";
import type { RunFilters } from "./run-filters.ts";

const ENDS = ["completed", "failed", "stopped"] as const;

/** What insights say about the runs of a list; undefined when the list has filters that insights do not have. */
export function countedFilters(filters: RunFilters): InsightFilters | undefined {
  const { time, from, to, agent, hook, tool, status, decision } = filters;
  const isOther =
    filters.search.trim() !== "" ||
    filters.hasHooks ||
    filters.hookOutcome.length > 0 ||
    filters.kind.length > 0;
  if (time === undefined || from === undefined || to === undefined || isOther || !filters.serving)
    return undefined;
  if (filters.model !== undefined || filters.executedBy !== undefined) return undefined;
  if (decision.length === 0) {
    const isEnd =
      status.length === 0 || (time === "ended" && status.every((each) => ENDS.some((end) => end === each)));
    return isEnd && time !== "active" && hook === undefined ? { since: from, until: to, agent } : undefined;
  }
  const used = hook === undefined ? undefined : readHookKey(hook);
  if (time !== "active" || status.length > 0 || used?.source === "inline") return undefined;
  return { since: from, until: to, agent, hook: used?.name, tool };
}

/** How many runs or decisions insights counted for a list. */
export function countedNumber(filters: RunFilters, insights: Insights): number | undefined {
  // Old times are only known by the day.
  const isSame = (one: string, other = "") => Date.parse(one) === Date.parse(other);
  if (!isSame(insights.since, filters.from) || !isSame(insights.until, filters.to)) return undefined;
  const { runs } = insights.current;
  if (filters.decision.length === 0) {
    if (filters.time === "created" || filters.time === "started") return runs[filters.time];
    const ends = ENDS.filter((end) => filters.status.length === 0 || filters.status.includes(end));
    return ends.reduce((sum, end) => sum + runs[end], 0);
  }
  const used = filters.hook === undefined ? undefined : readHookKey(filters.hook);
  const decisions =
    used === undefined
      ? [insights.current.decisions]
      : insights.hooks
          .filter(({ hook, kind }) => hook === used.name && kind === used.source)
          .map((row) => row.decisions);
  return decisions.reduce(
    (sum, row) => sum + filters.decision.reduce((ofRow, outcome) => ofRow + (row[outcome] ?? 0), 0),
    0,
  );
}

interface Stored {
  readonly count: number;
  readonly more: boolean;
  readonly decisions?: number | undefined;
}

/** What to say above a list about what was counted, and what has been removed since. */
export function countedText({ decision }: RunFilters, counted: number, stored: Stored): string | undefined {
  if (decision.length === 0) {
    if (stored.more || stored.count >= counted) return undefined;
    return `${countText(counted)} were counted in this time; ${formatCount(counted - stored.count)} of them have been removed since.`;
  }
  const calls = `${formatCount(counted)} ${counted === 1 ? "call" : "calls"} of hooks: ${decision.map(outcomeLabel).join(", ")}`;
  if (stored.more) return `${calls}. The list has more than 1,000 runs.`;
  const kept = stored.decisions ?? 0;
  if (kept >= counted) return `${calls}, in ${countText(stored.count)}.`;
  return `${calls}. ${formatCount(kept)} of them are in the runs below; ${formatCount(counted - kept)} were in runs that have been removed since.`;
}
