import type { WouldHave } from "@tenterhook/protocol";
import type { RunHookType } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { HOOK_STATES, type HookState } from "../domain/hook-state.ts";
import { CALLERS_GRACE_SECONDS } from "../domain/limits.ts";
import { targetOf } from "../store/hook-target.ts";
import { newId } from "../store/new-id.ts";
import type { HookRow, Json, PinnedHook, RunRow } from "../store/rows.ts";

const INSERT: Statement = {
  name: "insert-hook",
  text: `
    INSERT INTO run_hooks (id, run_id, hook_type, subject, definition, name, mode, target, state, input, deadline_at, created_at,
      due_at, agent_name, run_created_at)
    SELECT $1, $2, $3, $4, $5::jsonb, $6, $7, ${targetOf("$5::jsonb")}, 'pending', $8::jsonb, now() + make_interval(secs => $9), clock,
      clock, runs.agent_name, runs.created_at
    FROM clock_timestamp() AS clock, runs WHERE runs.id = $2
    ON CONFLICT (run_id, hook_type, subject) DO NOTHING
    RETURNING *`,
};

/**
 * Makes a hook due. There is one for each type and subject: a second call changes nothing. Hooks of one transaction keep their order by
 * the clock, because `now()` is the same for all of them.
 */
export async function scheduleHook(
  queries: Queries,
  run: RunRow,
  hookType: RunHookType,
  definition: PinnedHook,
  input: Json,
  { subject = "", waitSeconds }: { readonly subject?: string; readonly waitSeconds: number },
): Promise<HookRow | undefined> {
  const [row] = await queries.run<HookRow>(INSERT, [
    newId("hook"),
    run.id,
    hookType,
    subject,
    JSON.stringify(definition),
    definition.name ?? null,
    definition.mode,
    JSON.stringify(input),
    waitSeconds,
  ]);
  return row;
}

const SET: Statement = {
  name: "set-hook",
  text: `
    UPDATE run_hooks SET
      state = $2,
      output = CASE WHEN $3::text IS NULL THEN output ELSE $3::jsonb END,
      error = coalesce($4, error),
      child_run_id = coalesce($5, child_run_id),
      asked = asked OR $2 = 'asking',
      would_have = coalesce($7, would_have),
      lease_until = NULL,
      started_at = CASE WHEN $2 IN ('running', 'waiting') THEN coalesce(started_at, now()) ELSE started_at END,
      finished_at = CASE WHEN $2 ${HOOK_STATES.where((state) => HOOK_STATES.isFinal(state))} THEN now() END
    WHERE id = $1 AND state = ANY ($6::text[])
    RETURNING *`,
};

export async function setHook(
  queries: Queries,
  id: string,
  state: HookState,
  set: {
    readonly output?: unknown;
    readonly error?: string;
    readonly childRunId?: string;
    readonly wouldHave?: WouldHave | undefined;
  } = {},
): Promise<HookRow> {
  const [row] = await queries.run<HookRow>(SET, [
    id,
    state,
    set.output === undefined ? null : JSON.stringify(set.output),
    set.error ?? null,
    set.childRunId ?? null,
    HOOK_STATES.statesBefore(state),
    set.wouldHave ?? null,
  ]);
  if (row === undefined) throw new Error(`the hook ${id} cannot become ${state}: it has ended, or is gone`);
  return row;
}

const AWAITED: Statement = {
  name: "awaited-hooks",
  text: `
    SELECT * FROM run_hooks
    WHERE run_id = $1 AND finished_at IS NULL AND NOT (hook_type = 'on_tool_call' AND mode = 'async')
    ORDER BY created_at`,
};

/** The hooks that a run waits for. An asynchronous tool hook is executed, whatever happens to the run. */
export function awaitedHooks(queries: Queries, runId: string): Promise<HookRow[]> {
  return queries.run<HookRow>(AWAITED, [runId]);
}

const BEGIN_CALL: Statement = {
  name: "begin-call",
  text: `
    UPDATE run_hooks SET started_at = coalesce(started_at, now()),
      deadline_at = CASE WHEN started_at IS NULL
        THEN now() + make_interval(secs => (definition->>'timeout_seconds')::int + $2::int) ELSE deadline_at END
    WHERE id = $1
    RETURNING *, (extract(epoch FROM deadline_at - clock_timestamp()) - $2::int)::float8 AS seconds_left`,
};

/** Starts the timeout of an http hook, once, however often its URL is called. Returns how much of it is left. */
export async function beginCall(
  queries: Queries,
  id: string,
): Promise<(HookRow & { readonly seconds_left: number }) | undefined> {
  return (await queries.run<HookRow & { seconds_left: number }>(BEGIN_CALL, [id, CALLERS_GRACE_SECONDS]))[0];
}

const FORGET_DEADLINE: Statement = {
  name: "forget-hook-deadline",
  text: "UPDATE run_hooks SET deadline_at = NULL WHERE id = $1",
};

/** Removes the deadline of a hook. */
export async function clearDeadline(queries: Queries, id: string): Promise<void> {
  await queries.run(FORGET_DEADLINE, [id]);
}

const RENEW: Statement = {
  name: "renew-hook",
  text: `
    UPDATE run_hooks SET lease_until = now() + make_interval(secs => $3)
    WHERE id = $1 AND lease_token = $2 AND state = 'running' RETURNING id`,
};

/** Lets the lease of a running hook end after so many seconds from now. False when the lease is lost, or the hook has ended. */
export async function renewHook(
  queries: Queries,
  { id, lease_token }: HookRow,
  leaseSeconds: number,
): Promise<boolean> {
  return (await queries.run(RENEW, [id, lease_token, leaseSeconds])).length > 0;
}

const RUNS_TO_STOP: Statement = {
  name: "runs-of-ended-hooks",
  text: `
    SELECT runs.id FROM run_hooks JOIN runs ON runs.id = run_hooks.child_run_id AND runs.hook_id = run_hooks.id
    WHERE run_hooks.run_id = $1 AND run_hooks.finished_at IS NOT NULL AND runs.finished_at IS NULL
      AND runs.kind = 'hook' AND runs.state <> 'stopping'`,
};

/** The runs that execute hooks of a run which have ended without them. */
export async function hookRunsToStop(queries: Queries, runId: string): Promise<readonly string[]> {
  return (await queries.run<{ id: string }>(RUNS_TO_STOP, [runId])).map(({ id }) => id);
}

const REQUEUE_LOST: Statement = {
  name: "lost-hooks",
  text: `
    UPDATE run_hooks SET state = 'pending', lease_until = NULL
    WHERE id IN (SELECT id FROM run_hooks WHERE state = 'running' AND lease_until < now() FOR UPDATE SKIP LOCKED LIMIT 100)
    RETURNING id`,
};

/** Makes hooks due again whose coordinator let their lease expire. Returns how many. */
export async function requeueLostHooks(queries: Queries): Promise<number> {
  return (await queries.run(REQUEUE_LOST)).length;
}
