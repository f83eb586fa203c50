import { pinnedBlueprint } from "../agents/blueprint-rows.ts";
import type { Queries, Statement } from "../database/database.ts";
import { violationText } from "../domain/json-schema.ts";
import { isFinal, isLeased, sqlState } from "../domain/run-state.ts";
import { eventType } from "../store/event-type.ts";
import type { Json, RunRow } from "../store/rows.ts";
import { lockRun } from "../store/run-rows.ts";
import { type Ending, endRun } from "./end-run.ts";
import { scheduleHook } from "./hook-rows.ts";
import { changeRun } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

/** The columns of a run that the response to a report needs. */
export type ReportedRun = Pick<RunRow, "id" | "state" | "error_code">;

/** The outcome of a report. A report with a lost lease changes nothing. */
export type Report =
  | { readonly type: "taken"; readonly run: ReportedRun }
  | { readonly type: "repeated"; readonly run: ReportedRun }
  | { readonly type: "lost" }
  | { readonly type: "unknown" };

export interface Result {
  readonly result_text: string | null;
  readonly result_data: Json | null;
}

const STARTED: Statement = {
  name: "report-started",
  text: `
    WITH r AS (
      UPDATE runs SET state = ${sqlState.of("running")}, started_at = coalesce(started_at, now()), event_count = event_count + 1
      WHERE id = $1 AND lease_token = $2 AND state ${sqlState.before("running")} RETURNING *
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, ${eventType("run_started")}, jsonb_build_object('runner_id', runner_id) FROM r
    )
    SELECT * FROM r`,
};

export async function reportStarted(queries: Queries, id: string, token: string): Promise<Report> {
  const [run] = await queries.run<RunRow>(STARTED, [id, token]);
  return run === undefined
    ? unacceptedReport(queries, id, token, (state) => !isFinal(state))
    : { type: "taken", run };
}

/** Locks a run that a runner has under this lease; `undefined` when the lease is lost. */
async function lockLeasedRun(queries: Queries, id: string, token: string): Promise<RunRow | undefined> {
  const run = await lockRun(queries, id);
  return run?.lease_token === token && isLeased(run.state) ? run : undefined;
}

/** The same for a run that its runner works on: it has started, whether that was reported or not. */
export async function lockStartedRun(
  queries: Queries,
  id: string,
  token: string,
): Promise<RunRow | undefined> {
  const run = await lockLeasedRun(queries, id, token);
  if (run?.state === "claimed") await reportStarted(queries, id, token);
  return run;
}

/** Takes a report about the work in a run; the first one is the run's start, if its runner has not reported that. */
export async function acceptReport(
  queries: Queries,
  id: string,
  token: string,
  take: () => Promise<boolean>,
): Promise<boolean> {
  if (await take()) return true;
  const { type } = await reportStarted(queries, id, token);
  return type === "taken" && take();
}

/** A result that a runner has reported. */
export interface CompletedReport extends Result {
  readonly id: string;
  readonly token: string;
}

// Most runs have no hooks, no schema, and no hook or session that waits for them: those end in one statement, many at a time.
// No join: its plan would be for the table as it was when the statement was first planned. `$1` has the ids, and the ordinal
// of an id there is the index of its values in the other arrays. Through a subquery, so that the planner expects as many ids
// before it knows them as after: otherwise it would plan each time anew, which takes as long as the update.
//
// The statement waits for a run that another transaction has locked. That one may be younger, as this one has changed runs already,
// and the stream is in the order of transactions: so a run is left out that has another event than when the statement began. The
// subquery reads the run as it was then, and `runs` is the run as it is when it is locked.
const COMPLETED: Statement = {
  name: "report-completed",
  text: `
    WITH r AS (
      UPDATE runs SET state = ${sqlState.of("completed")}, result_text = ($3::text[])[array_position($1::text[], id)],
        result_data = ($4::text[])[array_position($1::text[], id)]::jsonb, waiting_for = NULL,
        lease_until = NULL, deadline_at = NULL, started_at = coalesce(started_at, now()), finished_at = now(),
        event_count = event_count + 1
      WHERE id = ANY (ARRAY(SELECT unnest($1::text[]))) AND lease_token = ($2::uuid[])[array_position($1::text[], id)]
        AND state ${sqlState.leased} AND is_plain
        AND event_count = (SELECT known.event_count FROM runs AS known WHERE known.id = runs.id)
      RETURNING id, session_id, event_count, state, error_code
    ), s AS (
      UPDATE sessions SET active_run_id = NULL, updated_at = now()
      WHERE id = ANY (ARRAY(SELECT session_id FROM r)) AND active_run_id = ANY (ARRAY(SELECT id FROM r))
    ), e AS (
      INSERT INTO events (run_id, session_id, number, type, data)
      SELECT id, session_id, event_count, ${eventType("run_completed")}, '{}'::jsonb FROM r
    )
    SELECT array_position($1::text[], id) - 1 AS ordinal, id, state, error_code FROM r`,
};

/** Ends plain runs; `undefined` for other runs, one that was just changed, a lost lease, and a repeated report. */
export async function completePlainRuns(
  queries: Queries,
  reports: readonly CompletedReport[],
): Promise<readonly (ReportedRun | undefined)[]> {
  const rows = await queries.run<ReportedRun & { readonly ordinal: number }>(COMPLETED, [
    reports.map(({ id }) => id),
    reports.map(({ token }) => token),
    reports.map(({ result_text }) => result_text),
    reports.map(({ result_data }) => (result_data === null ? null : JSON.stringify(result_data))),
  ]);
  const runs = new Map(rows.map(({ ordinal, ...run }) => [ordinal, run]));
  return reports.map((_, ordinal) => runs.get(ordinal));
}

/** Takes a result: it must fit the blueprint's schema, and a result hook is asked about it first. */
export async function reportCompleted(
  transition: Transition,
  id: string,
  token: string,
  result: Result,
): Promise<Report> {
  const { queries } = transition;
  const run = await lockLeasedRun(queries, id, token);
  if (run === undefined) return unacceptedReport(queries, id, token);
  const { output_schema } = await pinnedBlueprint(queries, run.agent_name, run.revision);
  const problem =
    output_schema === undefined
      ? undefined
      : violationText(output_schema, result.result_data ?? undefined, "result_data");
  if (problem !== undefined) {
    const error = `the result does not fit the agent's output_schema: ${problem}`;
    return ended(transition, run, { status: "failed", error, errorCode: "bad_output" });
  }
  const { on_result } = run.hooks;
  if (on_result === undefined) {
    const { result_text: resultText, result_data: resultData } = result;
    return ended(transition, run, { status: "completed", resultText, resultData });
  }
  const finishing = await changeRun(
    queries,
    run,
    "finishing",
    { raw_result: { ...result }, waiting_for: "hook" },
    { type: "run_finishing", data: {} },
  );
  const { parameters, agent_name, session_id } = run;
  const input = { parameters, agent_name, session_id, run_id: id, ...result };
  await scheduleHook(queries, finishing, "on_result", on_result, input, {
    waitSeconds: transition.limits.hookWaitSeconds,
  });
  return { type: "taken", run: finishing };
}

export async function reportFailed(
  transition: Transition,
  id: string,
  token: string,
  { error, errorCode }: { readonly error: string; readonly errorCode?: string | undefined },
): Promise<Report> {
  const { queries } = transition;
  const run = await lockLeasedRun(queries, id, token);
  if (run === undefined) return unacceptedReport(queries, id, token);
  return ended(transition, run, { status: "failed", error, errorCode: errorCode ?? "agent_failed" });
}

export async function reportStopped(
  transition: Transition,
  id: string,
  token: string,
  reason: string | undefined,
): Promise<Report> {
  const { queries } = transition;
  const run = await lockLeasedRun(queries, id, token);
  if (run === undefined) return unacceptedReport(queries, id, token);
  return ended(transition, run, { status: "stopped", stopReason: run.stop_reason ?? reason ?? null });
}

async function ended(transition: Transition, run: RunRow, ending: Ending): Promise<Report> {
  return { type: "taken", run: await endRun(transition, run, ending) };
}

/** A report that is repeated after it was taken is answered as before; any other report with a lost lease is refused. */
async function unacceptedReport(
  queries: Queries,
  id: string,
  token: string,
  isRepeated: (state: RunRow["state"]) => boolean = (state) => !isLeased(state),
): Promise<Report> {
  const run = await lockRun(queries, id);
  if (run === undefined) return { type: "unknown" };
  return run.lease_token === token && isRepeated(run.state) ? { type: "repeated", run } : { type: "lost" };
}
