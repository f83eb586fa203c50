import type { runStatus } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { type Fragment, joined, oneOf, sql, verbatim } from "../database/fragment.ts";
import { isFinal, type RunState, sqlState } from "../domain/run-state.ts";
import { PENDING_APPROVAL } from "./columns.ts";
import { unfinishedRuns } from "./unfinished.ts";

type RunStatus = z.output<typeof runStatus>;

/** Refused by a hook or a person. A run that still waits for its finish hooks has a reason, but has not failed yet. */
const BLOCKED = verbatim(`runs.state = ${sqlState.of("failed")} AND runs.block_reason IS NOT NULL`);
const NEEDS_APPROVAL = verbatim(`(${PENDING_APPROVAL}) IS NOT NULL`);

const isState = (status: RunStatus): status is RunState =>
  status !== "blocked" && status !== "needs_approval";

/** The runs with one of these statuses, as a condition. */
export function hasStatus(status: readonly RunStatus[]): Fragment {
  const states = status.filter(isState);
  const others = [
    ...(status.includes("blocked") ? [BLOCKED] : []),
    ...(status.includes("needs_approval") ? [NEEDS_APPROVAL] : []),
  ];
  if (others.length === 0) return oneOf("runs.state", states);
  return sql`(${joined([...(states.length === 0 ? [] : [oneOf("runs.state", states)]), ...others], " OR ")})`;
}

/** The same as alternatives that are read through an index each. Nearly all runs are completed, and those are found by time. */
export function statusAlternatives(status: readonly RunStatus[] = ["completed"]): readonly Fragment[] {
  if (status.includes("completed")) return [];
  const states = status.filter(isState);
  const unfinished = states.filter((state) => !isFinal(state));
  return [
    ...states.filter(isFinal).map((state) => sql`runs.state = ${state}`),
    ...(unfinished.length === 0 ? [] : [sql`runs.id IN (${unfinishedRuns(unfinished)})`]),
    ...(status.includes("blocked") ? [BLOCKED] : []),
    ...(status.includes("needs_approval")
      ? [verbatim("runs.id IN (SELECT run_id FROM approvals WHERE state = 'pending')")]
      : []),
  ];
}
