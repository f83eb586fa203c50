import type { HookRecord, Run, RunDetail, Waiting } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import type { TokenHolder } from "../domain/requesters.ts";
import { targetName } from "../store/hook-target.ts";
import type { HookRow, RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { approvalsOfRun } from "./approval-list.ts";
import { RUN_SUMMARY, type RunSummaryRow } from "./columns.ts";
import { runSummary, runView, withoutResult } from "./run-view.ts";
import { isQueued, readWaiting } from "./waiting.ts";

const HOOKS: Statement = {
  name: "hooks-of-run",
  text: "SELECT * FROM run_hooks WHERE run_id = $1 ORDER BY created_at, id LIMIT 1000",
};
const CHILDREN: Statement = {
  name: "runs-of-hooks-of-run",
  text: `
    SELECT ${RUN_SUMMARY} FROM runs WHERE id IN (SELECT child_run_id FROM run_hooks WHERE run_id = $1)
    ORDER BY created_at LIMIT 1000`,
};
const HOOK_TYPE: Statement = { name: "type-of-hook", text: "SELECT hook_type FROM run_hooks WHERE id = $1" };

/** A run with its hooks, its approvals, and the runs that its hooks started. */
export async function readRunDetail(
  queries: Queries,
  id: string,
  reader: TokenHolder,
): Promise<RunDetail | undefined> {
  const run = await readRun(queries, id);
  if (run === undefined) return undefined;
  const hooks = await queries.run<HookRow>(HOOKS, [id]);
  const children = await queries.run<RunSummaryRow>(CHILDREN, [id]);
  const approvals = await approvalsOfRun(queries, id, reader);
  const isAsking = run.finished_at === null && approvals.some(({ state }) => state === "pending");
  return {
    ...(await showRun(queries, run)),
    ...(isAsking && { waiting_for: "approval" }),
    hooks: hooks.map(hookRecord),
    approvals,
    child_runs: children.map(runSummary),
    event_count: run.event_count,
    waiting: await waitingOf(queries, run, children),
  };
}

/** Why a run waits for a runner: itself, or the run of a hook that it waits for. */
async function waitingOf(
  queries: Queries,
  run: RunRow,
  children: readonly RunSummaryRow[],
): Promise<Waiting | null> {
  if (isQueued(run)) return readWaiting(queries, run);
  const child = run.finished_at === null && children.find((each) => each.kind === "hook" && isQueued(each));
  const queued = child ? await readRun(queries, child.id) : undefined;
  return queued !== undefined && isQueued(queued) ? readWaiting(queries, queued) : null;
}

/** A run as it may be shown. The parameters of a run that executes a result hook contain a result that is still hidden. */
export async function showRun(queries: Queries, run: RunRow): Promise<Run> {
  const view = runView(run);
  if (!(await executesResultHook(queries, run))) return view;
  return { ...view, parameters: withoutResult(run.parameters) };
}

async function executesResultHook(queries: Queries, { hook_id }: RunRow): Promise<boolean> {
  if (hook_id === null) return false;
  const [hook] = await queries.run<{ hook_type: string }>(HOOK_TYPE, [hook_id]);
  return hook?.hook_type === "on_result";
}

function waitingOfHook({ state, waiting, due_at }: HookRow): HookRecord["waiting"] {
  if (state !== "pending" || waiting === null) return null;
  const { reason, detail } = waiting;
  return { reason, detail, until: reason === "retry" ? due_at : null };
}

export function hookRecord(hook: HookRow): HookRecord {
  const { definition, started_at, finished_at } = hook;
  const isAboutTool = hook.hook_type === "on_tool_call";
  return {
    hook_id: hook.id,
    hook_type: hook.hook_type,
    name: hook.name,
    target_type: definition.type,
    target_name: targetName(definition),
    mode: hook.mode,
    on_error: definition.on_error,
    enforce: definition.enforce !== false,
    state: hook.state,
    tool_use_id: isAboutTool ? String(hook.input.tool_use_id) : null,
    input: hook.hook_type === "on_result" ? withoutResult(hook.input) : hook.input,
    output: hook.output,
    error: hook.error,
    child_run_id: hook.child_run_id,
    attempt: hook.attempt,
    waiting: waitingOfHook(hook),
    timeout_seconds: definition.timeout_seconds ?? null,
    created_at: hook.created_at,
    started_at,
    finished_at,
    duration_ms:
      finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at ?? hook.created_at),
  };
}
