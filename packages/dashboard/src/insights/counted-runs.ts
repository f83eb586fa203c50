import { writeName } from "@tenterhook/protocol/internal";
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

/** Runs in which calls of hooks had one of these outcomes in a period: of all hooks, or of one, as `named:curfew`. The tool is a filter. */
export function decidedRuns(
  period: CountedPeriod,
  outcomes: readonly string[],
  { hook, tool }: { readonly hook?: string | undefined; readonly tool?: string | undefined } = {},
): RunSearch {
  return { ...createdRuns(period), time: "active", decision: outcomes.join(","), hook, tool };
}

/** Runs that called a model in a period; any model, or those of a filter. */
export function modelRuns(period: CountedPeriod, model: string = ANY): RunSearch {
  return { ...createdRuns(period), time: "active", model };
}

/** Runs that a runner executed in a period; any runner, or those of a filter. */
export function runnerRuns(period: CountedPeriod, runner: string = ANY): RunSearch {
  return { ...createdRuns(period), time: "active", executed_by: runner };
}

/** A name as `GET /runs` reads it. */
export function oneName(name: string): string {
  return name === "" ? UNNAMED : writeName(name);
}

/** Any name but these. */
export function exceptNames(names: readonly string[]): string {
  return `!${names.map(oneName).join(",")}`;
}

/** Runs that had been removed before their events were counted have no agent, and no list. */
export const REMOVED_EARLY = "These runs had been removed before they were counted, so there is no list.";

/** As `GET /runs` reads them: any name, and none: of a model that the runner did not name, or of a decision that is about no tool. */
const ANY = "*";
const UNNAMED = "-";
