import { type HookRecord, type RunDetail, type RunSummary, statusText } from "@tenterhook/protocol/runs";
import { ago, span } from "../ago.ts";
import {
  bold,
  type Cell,
  dim,
  duration,
  green,
  plain,
  printable,
  red,
  type Style,
  table,
  titledTable,
  yellow,
} from "../terminal.ts";
import { waitingText } from "./report-run.ts";

const STATUS_STYLES: Readonly<Partial<Record<RunSummary["status"], Style>>> = {
  completed: green,
  failed: red,
  stopped: yellow,
};

/** Runs as a table; `usage` by the ids of the runs adds a column with what they used. */
export function runsTable(runs: readonly RunSummary[], usage?: ReadonlyMap<string, string>): string {
  const used = usage === undefined ? [] : ["used"];
  const titles = ["run", "agent", "status", "age", "took", ...used, ""];
  return titledTable(
    titles,
    runs.map((run) => runRow(run, usage)),
  );
}

function runRow(run: RunSummary, usage: ReadonlyMap<string, string> | undefined): Cell[] {
  const { run_id, agent_name, created_at } = run;
  return [
    run_id,
    run.kind === "client" ? agent_name : `${agent_name} (${kindText(run)})`,
    formatStatus(run),
    ago(created_at),
    took(run),
    ...(usage === undefined ? [] : [usage.get(run_id) ?? ""]),
    { text: remark(run), style: dim },
  ];
}

function remark({ block_reason, error, stop_reason, hook_waiting, result_line }: RunSummary): string {
  // A hook that nothing waits for may wait although the run has ended.
  const waiting = hook_waiting ? `a hook waits: ${hook_waiting}` : null;
  return block_reason ?? error ?? stop_reason ?? waiting ?? result_line ?? "";
}

function kindText({ kind, trial }: RunSummary): string {
  return trial ? "trial" : kind;
}

function formatStatus(run: RunSummary): Cell {
  return { text: statusText(run), style: STATUS_STYLES[run.status] ?? plain };
}

function took({ started_at, finished_at }: RunSummary): string {
  if (started_at === null) return "";
  const ms = Date.parse(finished_at ?? new Date().toISOString()) - Date.parse(started_at);
  return ms < 60_000 ? duration(ms) : span(ms);
}

/** All details of a run: why it failed, what it used, its parameters, hooks, approvals and result. */
export function runPage(run: RunDetail, usage?: string): string {
  const { run_id, agent_name, revision, session_id, kind, attempt, max_attempts, runner_id } = run;
  // Runs of the first versions do not have the name of the client.
  const startedBy =
    kind === "client"
      ? (run.created_by ?? "a client")
      : `${run.trial ? "trial of a hook" : kind}${run.parent_run_id === null ? "" : ` of ${run.parent_run_id}`}`;
  const facts: readonly (readonly [string, Cell | null | undefined])[] = [
    ["agent", `${agent_name}, revision ${revision}`],
    ["status", formatStatus(run)],
    ["waits", run.waiting && waitingText(run.waiting)],
    ["session", session_id],
    ["started by", startedBy],
    ["retry of", run.retry_of],
    ["created", `${run.created_at}, ${ago(run.created_at)} ago`],
    ["stopped by", run.stopped_by && `${run.stopped_by}, ${run.stop_requested_at}`],
    ["took", run.started_at && took(run)],
    ["used", usage],
    ["runner", runner_id],
    ["attempt", max_attempts === 1 ? null : `${attempt} of ${max_attempts}`],
  ];
  const blocked = run.block_reason === null ? [] : [red(`blocked: ${printable(run.block_reason)}`)];
  const failed =
    run.error === null || run.error === run.block_reason
      ? []
      : [red(`${run.error_code ?? "error"}: ${printable(run.error)}`)];
  const stopped = run.stop_reason === null ? [] : [`stopped: ${printable(run.stop_reason)}`];
  return [
    bold(run_id),
    ...blocked,
    ...failed,
    ...stopped,
    table(facts.flatMap(([name, value]) => (value == null ? [] : [[`  ${name}`, value]]))),
    ...section("parameters", run.original_parameters ?? run.parameters),
    ...(run.original_parameters === null ? [] : section("parameters, changed by hooks", run.parameters)),
    ...hooksSection(run.hooks),
    ...run.approvals.map(
      ({ approval_id, state, reason, decided_by, decided_at }) =>
        `${bold("approval")} ${approval_id} ${state}${decided_by === null ? "" : ` by ${printable(decided_by)}, ${decided_at}`}: ${printable(reason)}`,
    ),
    ...(run.child_runs.length === 0 ? [] : [bold("runs started by its hooks"), runsTable(run.child_runs)]),
    ...resultSection(run),
  ].join("\n");
}

function hooksSection(hooks: readonly HookRecord[]): string[] {
  if (hooks.length === 0) return [];
  const rows = hooks.map((hook): Cell[] => [
    `  ${hook.hook_type}`,
    hook.name ?? hook.target_name,
    { text: hook.state, style: HOOK_STYLES[hook.state] ?? dim },
    hook.duration_ms === null ? "" : `${hook.duration_ms} ms`,
    hook.error ?? (hook.waiting === null ? "" : `waits: ${hook.waiting.detail}`),
  ]);
  return [bold("hooks"), table(rows)];
}

const HOOK_STYLES: Readonly<Partial<Record<HookRecord["state"], Style>>> = {
  done: green,
  failed: red,
  blocked: red,
  asking: yellow,
};

function resultSection({ result_text, result_data }: RunDetail): string[] {
  return [
    ...(result_data === null ? [] : section("result", result_data)),
    ...(result_text === null ? [] : [bold("result"), `  ${printable(result_text).replaceAll("\n", "\n  ")}`]),
  ];
}

function section(title: string, value: object): string[] {
  return [bold(title), `  ${printable(JSON.stringify(value, undefined, 2)).replaceAll("\n", "\n  ")}`];
}
