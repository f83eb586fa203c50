import {
  type HookResultOutcome,
  hookResultOutcome,
  readHookKey,
  runnerHookOutcome,
  type UsedHook,
} from "@tenterhook/protocol/runs";
import { type Fragment, joined, sql, verbatim } from "../database/fragment.ts";
import { Problem } from "../problem.ts";
import type { HookState } from "../store/rows.ts";
import type { Position } from "./cursor.ts";

export interface HookFilter {
  readonly hook?: string | undefined;
  readonly hook_outcome?: readonly HookResultOutcome[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The states of a run hook in which it has an outcome. */
export const STATE_OF_OUTCOME = {
  passed: "done",
  blocked: "blocked",
  failed: "failed",
  cancelled: "cancelled",
} as const satisfies Partial<Record<HookResultOutcome, HookState>>;

type RunHookOutcome = keyof typeof STATE_OF_OUTCOME;
const RUN_HOOK_OUTCOMES = Object.keys(STATE_OF_OUTCOME) as readonly RunHookOutcome[];

/** The runs with a result of a hook, as a condition. */
export function hasHookResult(filter: HookFilter): Fragment | undefined {
  const found = readFilter(filter);
  if (found === undefined) return undefined;
  if (found.length === 0) return verbatim("false");
  const some = found.map(
    ({ table, condition }) =>
      sql`EXISTS (SELECT FROM ${verbatim(table)} AS results WHERE results.run_id = runs.id AND ${condition})`,
  );
  return sql`(${joined(some, " OR ")})`;
}

/**
 * The newest of these runs that fit the other conditions too. Each outcome is read in the order of its index, and no further than a
 * page. A run with several calls is counted once.
 */
export function newestWithHookResult(
  filter: HookFilter,
  conditions: readonly Fragment[],
  after: Position | undefined,
  most: number,
): Fragment | undefined {
  const found = readFilter(filter);
  if (found === undefined) return undefined;
  if (found.length === 0) return verbatim("false");
  const every = [...conditions, ...timesOf(filter, after)];
  const branches = found.map(
    ({ table, condition }) => sql`(
      SELECT run_id FROM (
        SELECT DISTINCT ON (results.run_created_at, results.run_id) results.run_id
        FROM ${verbatim(table)} AS results JOIN runs ON runs.id = results.run_id
        WHERE ${joined([condition, ...every], " AND ")}
        ORDER BY results.run_created_at DESC, results.run_id DESC LIMIT ${most}) AS newest)`,
  );
  return sql`runs.id IN (${joined(branches, " UNION ALL ")})`;
}

/** The times of runs, as the indexes of results have them. */
function timesOf({ from, to }: HookFilter, after: Position | undefined): Fragment[] {
  const [time, id] = after ?? [];
  return [
    ...(from === undefined ? [] : [sql`results.run_created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`results.run_created_at < ${to}`]),
    ...(time === undefined || id === undefined
      ? []
      : [sql`(results.run_created_at, results.run_id) < (${time}::timestamptz, ${id})`]),
  ];
}

/** Where the results with an outcome are. */
interface Results {
  readonly table: string;
  readonly condition: Fragment;
}

/** Where the results of the hook are, for each outcome. */
function readFilter({ hook, hook_outcome }: HookFilter): readonly Results[] | undefined {
  if (hook === undefined) {
    if (hook_outcome === undefined) return undefined;
    throw new Problem("bad_request", "an outcome is of a hook", {
      field: "hook_outcome",
      hint: "Add `hook`, as in hook=named:curfew.",
    });
  }
  const used = readHookKey(hook);
  if (used === undefined) throw new Error(`${hook} is not the key of a hook`);
  if (used.source === "runner") {
    return ofRunner(used, hook_outcome ?? hookResultOutcome.options).map((condition) => ({
      table: "runner_hook_results",
      condition,
    }));
  }
  // A call that asked has another outcome too when it has ended, and one that was not enforced is done.
  const ended = ofRuns(used, hook_outcome ?? RUN_HOOK_OUTCOMES).map((condition) => ({
    table: "run_hooks",
    condition,
  }));
  return hook_outcome?.includes("asked")
    ? [...ended, { table: "run_hooks", condition: sql`results.asked AND ${isHook(used)}` }]
    : ended;
}

function ofRunner({ name }: UsedHook, outcomes: readonly HookResultOutcome[]): Fragment[] {
  return outcomes
    .filter((outcome) => runnerHookOutcome.safeParse(outcome).success)
    .map((outcome) => sql`results.hook = ${name} AND results.outcome = ${outcome}`);
}

type HookOfRuns = Exclude<UsedHook, { source: "runner" }>;

function isHook(used: HookOfRuns): Fragment {
  return used.source === "named"
    ? sql`results.name IS NOT NULL AND results.name = ${used.name}`
    : sql`results.name IS NULL AND results.agent_name = ${used.agent} AND results.hook_type = ${used.name}`;
}

/** As the partial indexes have it. A call of a hook that is not enforced has ended, and its row says what it would have done. */
function ofRuns(used: HookOfRuns, outcomes: readonly HookResultOutcome[]): Fragment[] {
  return outcomes.flatMap((outcome) => {
    if (Object.hasOwn(STATE_OF_OUTCOME, outcome)) {
      const state = STATE_OF_OUTCOME[outcome as RunHookOutcome];
      return [sql`results.finished_at IS NOT NULL AND ${isHook(used)} AND results.state = ${state}`];
    }
    return outcome.startsWith("would_") ? [sql`results.would_have = ${outcome} AND ${isHook(used)}`] : [];
  });
}
