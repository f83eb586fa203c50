import type { RunSearch } from "./chart-data.ts";

/** What a number of `GET /insights` is about. */
export interface CountedPeriod {
  readonly since: string;
  readonly until: string;
  /** Of the filters of the request. */
  readonly agent?: string | undefined;
}

/** Runs that were created in a period, those of hooks too, as insights count them. */
export function createdRuns({ since, until, agent }: CountedPeriod): RunSearch {
  return { serving: "true", time: "created", agent, from: since, to: until };
}

/** Runs that started in a period for the first time. */
export function startedRuns(period: CountedPeriod): RunSearch {
  return { ...createdRuns(period), time: "started" };
}

/** Runs that ended in a period. */
export function endedRuns(period: CountedPeriod, status?: "completed" | "failed" | "stopped"): RunSearch {
  return { ...createdRuns(period), time: "ended", status };
}

/** Runs in which calls of hooks had one of these outcomes in a period: of all hooks, or of one, as `named:curfew`. */
export function decidedRuns(
  period: CountedPeriod,
  outcomes: readonly string[],
  { hook, tool }: { readonly hook?: string | undefined; readonly tool?: string | undefined } = {},
): RunSearch {
  const named = tool === "" ? UNNAMED : tool;
  return { ...createdRuns(period), time: "active", decision: outcomes.join(","), hook, tool: named };
}

/** Runs that called a model in a period; any model, or this one. */
export function modelRuns(period: CountedPeriod, model: string = ANY): RunSearch {
  return { ...createdRuns(period), time: "active", model: model || UNNAMED };
}

/** Runs that a runner executed in a period; any runner, or this one. */
export function runnerRuns(period: CountedPeriod, runner: string = ANY): RunSearch {
  return { ...createdRuns(period), time: "active", executed_by: runner };
}

/** Any name but these, as `GET /runs` reads it. Undefined when that cannot be said: commas separate the names. */
export function exceptNames(names: readonly string[]): string | undefined {
  if (names.some((name) => name.includes(","))) return undefined;
  return `!${names.map((name) => name || UNNAMED).join(",")}`;
}

/** Runs that had been removed before their events were counted have no agent, and no list. */
export const REMOVED_EARLY = "These runs had been removed before they were counted, so there is no list.";

/** As `GET /runs` reads them: any name, and none: of a model that the runner did not name, or of a decision that is about no tool. */
const ANY = "*";
const UNNAMED = "-";
