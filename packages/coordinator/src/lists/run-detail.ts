import type { HookRecord, Run, RunDetail } from "@tenterhook/protocol/runs";
import { asc, eq, inArray } from "drizzle-orm";
import type { Queries, Statement } from "../database/database.ts";
import { targetName } from "../store/hook-target.ts";
import type { HookRow, Json, RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { runHooks, runs } from "../store/schema.ts";
import { approvalsOfRun } from "./approval-list.ts";
import { RUN_SUMMARY } from "./columns.ts";
import { type RunSummaryRow, runSummary, runView } from "./run-view.ts";

const HOOKS: Statement = {
  name: "hooks-of-run",
  text: "SELECT * FROM run_hooks WHERE run_id = $1 ORDER BY created_at, id LIMIT 1000",
};
const HOOK_TYPE: Statement = { name: "type-of-hook", text: "SELECT hook_type FROM run_hooks WHERE id = $1" };

/** A run with its hooks, the questions it asked, and the runs that its hooks started. */
export async function readRunDetail(queries: Queries, id: string): Promise<RunDetail | undefined> {
  const run = await readRun(queries, id);
  if (run === undefined) return undefined;
  const hooks = await queries.run<HookRow>(HOOKS, [id]);
  const children = await queries.orm
    .select(RUN_SUMMARY)
    .from(runs)
    .where(inArray(runs.id, startedBy(queries, id)))
    .orderBy(asc(runs.createdAt))
    .limit(1_000);
  return {
    ...(await showRun(queries, run)),
    hooks: hooks.map(hookRecord),
    approvals: await approvalsOfRun(queries, id),
    child_runs: children.map((row) => runSummary(row as RunSummaryRow)),
    event_count: run.event_count,
  };
}

/** A run as it may be shown. One that carries out a result hook was given a result that is not to be seen yet. */
export async function showRun(queries: Queries, run: RunRow): Promise<Run> {
  const view = runView(run);
  if (!(await carriesOutResultHook(queries, run))) return view;
  return { ...view, parameters: withoutResult(run.parameters) };
}

function startedBy({ orm }: Queries, id: string) {
  return orm.select({ id: runHooks.childRunId }).from(runHooks).where(eq(runHooks.runId, id));
}

async function carriesOutResultHook(queries: Queries, { hook_id }: RunRow): Promise<boolean> {
  if (hook_id === null) return false;
  const [hook] = await queries.run<{ hook_type: string }>(HOOK_TYPE, [hook_id]);
  return hook?.hook_type === "on_result";
}

/** A result that a hook has not let pass, or has changed, is nobody's business but the hook's. */
function withoutResult({ result_text: _text, result_data: _data, ...rest }: Json): Json {
  return rest;
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
    state: hook.state,
    tool_use_id: isAboutTool ? String(hook.input.tool_use_id) : null,
    input: hook.hook_type === "on_result" ? withoutResult(hook.input) : hook.input,
    output: hook.output,
    error: hook.error,
    child_run_id: hook.child_run_id,
    attempt: hook.attempt,
    timeout_seconds: definition.timeout_seconds ?? null,
    created_at: hook.created_at,
    started_at,
    finished_at,
    duration_ms:
      finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at ?? hook.created_at),
  };
}
