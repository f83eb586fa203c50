import type { RunEventData, RunHookType } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { newId } from "../store/new-id.ts";
import type { HookRow, HookState, Json, PinnedHook, RunRow } from "../store/rows.ts";

const INSERT: Statement = {
  name: "insert-hook",
  text: `
    INSERT INTO run_hooks (id, run_id, hook_type, subject, definition, name, mode, state, input, deadline_at)
    VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, 'pending', $8::jsonb, now() + make_interval(secs => $9))
    ON CONFLICT (run_id, hook_type, subject) DO NOTHING
    RETURNING *`,
};

/** Makes a hook due. There is one for each type and subject: whoever comes second changes nothing. */
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

const LOCK: Statement = { name: "lock-hook", text: "SELECT * FROM run_hooks WHERE id = $1 FOR UPDATE" };
const READ: Statement = { name: "read-hook", text: "SELECT * FROM run_hooks WHERE id = $1" };

/** Locks a hook. Lock its run first, always: two who lock in different orders wait for each other. */
export async function lockHook(queries: Queries, id: string): Promise<HookRow | undefined> {
  return (await queries.run<HookRow>(LOCK, [id]))[0];
}

export async function readHook(queries: Queries, id: string): Promise<HookRow | undefined> {
  return (await queries.run<HookRow>(READ, [id]))[0];
}

const SET: Statement = {
  name: "set-hook",
  text: `
    UPDATE run_hooks SET
      state = $2,
      output = CASE WHEN $3::text IS NULL THEN output ELSE $3::jsonb END,
      error = coalesce($4, error),
      child_run_id = coalesce($5, child_run_id),
      lease_until = NULL,
      started_at = CASE WHEN $2 IN ('running', 'waiting') THEN coalesce(started_at, now()) ELSE started_at END,
      finished_at = CASE WHEN $2 IN ('done', 'failed', 'blocked', 'cancelled') THEN now() END
    WHERE id = $1
    RETURNING *`,
};

export async function setHook(
  queries: Queries,
  id: string,
  state: HookState,
  set: { readonly output?: unknown; readonly error?: string; readonly childRunId?: string } = {},
): Promise<HookRow> {
  const [row] = await queries.run<HookRow>(SET, [
    id,
    state,
    set.output === undefined ? null : JSON.stringify(set.output),
    set.error ?? null,
    set.childRunId ?? null,
  ]);
  if (row === undefined) throw new Error(`the hook ${id} is gone`);
  return row;
}

const AWAITED: Statement = {
  name: "awaited-hooks",
  text: `
    SELECT * FROM run_hooks
    WHERE run_id = $1 AND finished_at IS NULL AND NOT (hook_type = 'on_tool_call' AND mode = 'async')
    ORDER BY created_at`,
};

/** The hooks that a run waits for. A tool hook that nobody waits for is carried out, whatever becomes of the run. */
export function awaitedHooks(queries: Queries, runId: string): Promise<HookRow[]> {
  return queries.run<HookRow>(AWAITED, [runId]);
}

const CLAIM: Statement = {
  name: "claim-hooks",
  text: `
    UPDATE run_hooks SET state = 'running', attempt = attempt + 1, lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => $2)
    WHERE id IN (
      SELECT id FROM run_hooks WHERE state = 'pending'
      ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT $1)
    RETURNING *`,
};

/** Takes hooks that are due, under a lease: whoever dies with one leaves it to the next. */
export function claimHooks(queries: Queries, most: number, leaseSeconds: number): Promise<HookRow[]> {
  return queries.run<HookRow>(CLAIM, [most, leaseSeconds]);
}

const BEGIN_CALL: Statement = {
  name: "begin-call",
  text: `
    UPDATE run_hooks SET started_at = coalesce(started_at, now()),
      deadline_at = CASE WHEN started_at IS NULL
        THEN now() + make_interval(secs => (definition->>'timeout_seconds')::int + $2::int) ELSE deadline_at END
    WHERE id = $1
    RETURNING *`,
};

/** A caller gives up by itself when the time is up; the sweep must not be faster. */
export const CALLERS_GRACE_SECONDS = 5;

/** Begins the time of an http hook, once, however often its address is called. */
export async function beginCall(queries: Queries, id: string): Promise<HookRow | undefined> {
  return (await queries.run<HookRow>(BEGIN_CALL, [id, CALLERS_GRACE_SECONDS]))[0];
}

const FORGET_DEADLINE: Statement = {
  name: "forget-hook-deadline",
  text: "UPDATE run_hooks SET deadline_at = NULL WHERE id = $1",
};

/** Lets a hook take as long as it likes. */
export async function forgetDeadline(queries: Queries, id: string): Promise<void> {
  await queries.run(FORGET_DEADLINE, [id]);
}

const RENEW: Statement = {
  name: "renew-hook",
  text: `
    UPDATE run_hooks SET lease_until = now() + make_interval(secs => $3)
    WHERE id = $1 AND lease_token = $2 AND state = 'running' RETURNING id`,
};

/** Keeps a hook that is being carried out. False when it is another's by now, or has ended. */
export async function renewHook(
  queries: Queries,
  { id, lease_token }: HookRow,
  leaseSeconds: number,
): Promise<boolean> {
  return (await queries.run(RENEW, [id, lease_token, leaseSeconds])).length > 0;
}

const POSTPONE: Statement = {
  name: "postpone-hook",
  text: `
    UPDATE run_hooks SET lease_until = now() + make_interval(secs => $3)
    WHERE id = $1 AND lease_token = $2 AND state = 'running'`,
};

/** Lets the lease of a hook that could not be begun end soon; then it is tried again. */
export async function postponeHook(
  queries: Queries,
  { id, lease_token }: HookRow,
  seconds: number,
): Promise<void> {
  await queries.run(POSTPONE, [id, lease_token, seconds]);
}

/** How a hook is told of in events. */
export function hookFacts(hook: HookRow): RunEventData<"hook_start"> {
  const { hook_type, definition, name, id, child_run_id } = hook;
  return {
    hook_type,
    target_type: definition.type,
    target_name: targetName(definition),
    ...(name !== null && { hook_name: name }),
    hook_id: id,
    ...(child_run_id !== null && { child_run_id }),
  };
}

/** Who carries a hook out. Of an address only where it leads: the rest of it may be a secret, and events are kept. */
export function targetName(definition: PinnedHook): string {
  return definition.type === "agent" ? definition.agent_name : new URL(definition.url).origin;
}
