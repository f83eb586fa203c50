import { ownField } from "@tenterhook/internal";
import { type Insights, readHookKey } from "@tenterhook/protocol/runs";
import type { InsightFilters } from "../insights/insights-query.ts";
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
  if ([agent, tool].some((name) => name?.startsWith("!"))) return undefined;
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
    (sum, row) => sum + filters.decision.reduce((ofRow, outcome) => ofRow + (ownField(row, outcome) ?? 0), 0),
    0,
  );
}
