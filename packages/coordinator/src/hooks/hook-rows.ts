import type { RunHookType } from "@tenterhook/protocol/runs";
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

const OPEN: Statement = {
  name: "open-hooks",
  text: "SELECT * FROM run_hooks WHERE run_id = $1 AND finished_at IS NULL ORDER BY created_at",
};

/** The hooks of a run that have not ended. */
export function openHooks(queries: Queries, runId: string): Promise<HookRow[]> {
  return queries.run<HookRow>(OPEN, [runId]);
}

const CLAIM: Statement = {
  name: "claim-hooks",
  text: `
    UPDATE run_hooks SET state = 'running', attempt = attempt + 1, lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => $2)
    WHERE id IN (
      SELECT id FROM run_hooks WHERE state = 'pending' AND available_at <= now()
      ORDER BY available_at FOR UPDATE SKIP LOCKED LIMIT $1)
    RETURNING *`,
};

/** Takes hooks that are due, under a lease: whoever dies with one leaves it to the next. */
export function claimHooks(queries: Queries, most: number, leaseSeconds: number): Promise<HookRow[]> {
  return queries.run<HookRow>(CLAIM, [most, leaseSeconds]);
}

/** How a hook is told of in events. */
export function hookFacts(hook: HookRow): {
  hook_type: string;
  target_type: string;
  target_name: string;
  hook_id: string;
} {
  const { type } = hook.definition;
  const target = type === "agent" ? hook.definition.agent_name : hook.definition.url;
  return { hook_type: hook.hook_type, target_type: type, target_name: hook.name ?? target, hook_id: hook.id };
}
