import { type RunTime, readHookKey } from "@tenterhook/protocol/runs";
import { allOf, type Fragment, oneOf, sql, verbatim } from "../database/fragment.ts";
import { Problem } from "../problem.ts";
import { ANY, hasName } from "./name-filter.ts";

/** Filters by what happened in a run: the runs behind a number of `GET /insights`. */
export interface CountedFilter {
  readonly time?: RunTime | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly decision?: readonly string[] | undefined;
  readonly hook?: string | undefined;
  readonly tool?: string | undefined;
  readonly model?: string | undefined;
  readonly executed_by?: string | undefined;
}

/** The conditions of these filters. What `from` and `to` mean for the creation of a run is not among them. */
export function countedConditions(filter: CountedFilter): readonly (Fragment | undefined)[] {
  const { decision, tool, model, executed_by } = filter;
  if (tool !== undefined && decision === undefined) {
    throw new Problem("bad_request", "a tool is that of a decision", {
      field: "tool",
      hint: "Add `decision`, as in decision=blocked.",
    });
  }
  return [
    isInTime(filter),
    decision && sql`EXISTS (SELECT ${decisionsOfRun(filter)})`,
    model === undefined ? undefined : hasCalled(model, filter),
    executed_by === undefined ? undefined : wasExecutedBy(executed_by),
  ];
}

/** How many decisions of the filter a run has, as a column. */
export function countDecisions(filter: CountedFilter): Fragment {
  return sql`(SELECT coalesce(sum(decided.count), 0)::float8 ${decisionsOfRun(filter)})`;
}

/** Whether `from` is about the creation of runs. `to` always is, too: nothing happens in a run before it is created. */
export function isByCreation({ time = "created" }: Pick<CountedFilter, "time">): boolean {
  return time === "created";
}

function isInTime({ time, from, to, decision, model }: CountedFilter): Fragment | undefined {
  switch (time) {
    case "started":
      return between("runs.started_at", from, to);
    case "ended":
      return between("runs.finished_at", from, to);
    case "active":
      // A finish hook may answer after the end. What happened then is found by its own time.
      return decision === undefined && model === undefined && from !== undefined
        ? sql`(runs.finished_at IS NULL OR runs.finished_at >= ${from})`
        : undefined;
    default:
      return undefined;
  }
}

function between(column: string, from: string | undefined, to: string | undefined): Fragment {
  return allOf([
    verbatim(`${column} IS NOT NULL`),
    from === undefined ? undefined : sql`${verbatim(column)} >= ${from}`,
    to === undefined ? undefined : sql`${verbatim(column)} < ${to}`,
  ]);
}

/** Events of the run, and of their time if that is asked for. */
function eventsOfRun(types: string, { time, from, to }: CountedFilter): Fragment {
  return allOf([
    verbatim(`events.run_id = runs.id AND events.type IN (${types})`),
    ...(time === "active" ? [between("events.created_at", from, to)] : []),
  ]);
}

/** The event of a subagent, or of a subagent of it. */
const NESTED = `CASE WHEN events.type <> 'subagent' THEN events.data
    WHEN events.data->'event'->>'event_type' = 'subagent' THEN events.data->'event'->'event' ELSE events.data->'event' END`;
const NESTED_TYPE = `CASE WHEN events.type <> 'subagent' THEN events.type ELSE ${NESTED}->>'event_type' END`;
const HAS_DURATION = "jsonb_typeof(events.data->'duration_ms') IS NOT DISTINCT FROM 'number'";

// As `insights/fold-events.ts` and `insights/read-act.ts` read events; a test compares the two.
const DECIDED = `
    SELECT tally->>'hook' AS hook, 'runner' AS kind, tally->>'event' AS event, coalesce(tally->>'tool', '') AS tool,
      tally->>'outcome' AS outcome,
      CASE WHEN jsonb_typeof(tally->'count') = 'number' THEN (tally->>'count')::numeric ELSE 0 END AS count
    FROM jsonb_array_elements(CASE WHEN events.type = 'hook_tallies' AND jsonb_typeof(events.data->'tallies') = 'array'
      THEN events.data->'tallies' ELSE '[]' END) AS tally
    UNION ALL
    SELECT coalesce(events.data->>'hook_name', events.data->>'target_name', ''),
      CASE WHEN jsonb_typeof(events.data->'hook_name') = 'string' THEN 'named' ELSE 'inline' END, events.data->>'hook_type', '',
      CASE WHEN events.type = 'hook_failed' THEN 'failed' WHEN events.type = 'approval_requested' OR NOT ${HAS_DURATION} THEN 'asked'
        WHEN events.data ? 'not_enforced' THEN events.data->>'not_enforced' WHEN events.data->>'action' = 'block' THEN 'blocked'
        WHEN events.data ? 'changed' THEN 'changed' ELSE 'passed' END, 1
    WHERE events.data->'tallied' IS DISTINCT FROM 'true' AND (events.type IN ('hook_complete', 'hook_failed')
      OR events.type = 'hook_blocked' AND NOT ${HAS_DURATION}
      OR events.type = 'approval_requested' AND jsonb_typeof(events.data->'target_name') = 'string')
    UNION ALL
    SELECT act->>'hook', 'runner', act->>'event', '', CASE WHEN act->'failed' = 'true' THEN 'failed' WHEN act ? 'not_enforced' THEN act->>'not_enforced' ELSE
      CASE act->>'action' WHEN 'refuse' THEN 'blocked' WHEN 'fail' THEN 'blocked' WHEN 'hold' THEN 'kept_running' WHEN 'skip' THEN 'skipped'
        WHEN 'recover' THEN 'recovered' WHEN 'stop' THEN 'stopped' WHEN 'record' THEN 'objected_late'
        ELSE CASE WHEN act ? 'changed' THEN 'changed' END END END, 1
    FROM (SELECT ${NESTED} AS act WHERE ${NESTED_TYPE} = 'hook_acted') AS acted
    WHERE act->'tallied' IS DISTINCT FROM 'true' AND act->>'hook' <> 'on_tool_call'`;

const DECIDING =
  "'hook_tallies', 'hook_complete', 'hook_blocked', 'hook_failed', 'approval_requested', 'hook_acted', 'subagent'";

/** The decisions of the filter in a run, as `decided`: from `FROM` on. */
function decisionsOfRun(filter: CountedFilter): Fragment {
  const { decision = [], hook, tool } = filter;
  const conditions = [
    eventsOfRun(DECIDING, filter),
    oneOf("decided.outcome", decision),
    verbatim("decided.count > 0"),
    hook === undefined ? undefined : isOfHook(hook),
    tool === undefined ? undefined : hasName(verbatim("decided.tool"), tool),
  ];
  return sql`FROM events, LATERAL (${verbatim(DECIDED)}) AS decided WHERE ${allOf(conditions)}`;
}

function isOfHook(key: string): Fragment {
  const used = readHookKey(key);
  if (used === undefined) throw new Error(`${key} is not the key of a hook`);
  if (used.source !== "inline") return sql`decided.kind = ${used.source} AND decided.hook = ${used.name}`;
  return sql`decided.kind = 'inline' AND decided.event = ${used.name} AND runs.agent_name = ${used.agent}`;
}

function hasCalled(model: string, filter: CountedFilter): Fragment {
  const name = verbatim(`coalesce(${NESTED}->'usage'->>'model', '')`);
  const steps = sql`EXISTS (SELECT FROM events WHERE ${allOf([
    eventsOfRun("'step_end', 'subagent'", filter),
    verbatim(`${NESTED_TYPE} = 'step_end' AND ${NESTED}->'usage' IS NOT NULL`),
    model === ANY ? undefined : hasName(name, model),
  ])})`;
  // The sums of the run are read first: they are in its row.
  return sql`runs.usage IS NOT NULL AND ${steps}`;
}

function wasExecutedBy(asked: string): Fragment {
  const name = verbatim("coalesce(runners.name, events.data->>'runner_id', '')");
  return sql`EXISTS (SELECT FROM events LEFT JOIN runners ON runners.id = events.data->>'runner_id'
    WHERE events.run_id = runs.id AND events.type = 'run_started' AND ${asked === ANY ? verbatim("true") : hasName(name, asked)})`;
}
