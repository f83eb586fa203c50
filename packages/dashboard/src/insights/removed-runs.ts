import type { Insights } from "@tenterhook/protocol/runs";
import { formatCount } from "../components/format-count.ts";
import type { RunSearch } from "./chart-data.ts";

type RunCounts = Insights["current"]["runs"];

/** What a link says about runs that its list lacks: `3 of these runs have been removed since.` Undefined when there are none. */
export function describeRemoved(insights: Insights | undefined, search: RunSearch): string | undefined {
  const removed = insights && findRemoved(insights, search);
  if (removed === undefined) return undefined;
  const ended = removed.completed + removed.failed + removed.stopped;
  switch (search.time) {
    case "created":
    case "started":
      return describe(removed[search.time], "of these runs");
    case "ended":
      return describe(isEnd(search.status) ? removed[search.status] : ended, "of these runs");
    default:
      // What happened in a run that has been removed is not known any more, but for the sums.
      return describe(ended, "of the runs that ended in this time");
  }
}

/** The removed runs of the period of a link: the whole period, the one before, or a step. */
function findRemoved(insights: Insights, { from, to, agent }: RunSearch): RunCounts | undefined {
  const { since, until, before, current, previous, series, agents } = insights;
  if (from === since && to === until) {
    return agent === undefined ? current.removed : agents.find((row) => row.agent === agent)?.removed;
  }
  if (agent !== undefined) return undefined;
  if (from === before.since && to === before.until) return previous.removed;
  return series.find((point) => point.since === from)?.removed;
}

function isEnd(status: string | undefined): status is "completed" | "failed" | "stopped" {
  return status === "completed" || status === "failed" || status === "stopped";
}

function describe(count: number, which: string): string | undefined {
  if (count === 0) return undefined;
  return `${formatCount(count)} ${which} ${count === 1 ? "has" : "have"} been removed since.`;
}
