import type { Queries, Statement } from "../database/database.ts";
import { lockHook } from "../store/hook-rows.ts";
import { hookFacts } from "../store/hook-target.ts";
import type { HookRow } from "../store/rows.ts";
import { lockRun } from "../store/run-rows.ts";
import { WAITING_TARGETS } from "./claim-hooks.ts";
import { recordEvent } from "./run-changes.ts";

/** An http hook that has been due for a while. `due` has all digits of the time since when. */
export interface QueuedHook extends Pick<HookRow, "id" | "run_id" | "mode" | "target"> {
  readonly due: string;
}

/** Before all hooks. */
export const FIRST_QUEUED: Pick<QueuedHook, "due" | "id"> = { due: "-infinity", id: "" };

/** Why a hook that is due is not claimed. */
export interface LimitReached {
  readonly reason: "target_limit" | "call_limit";
  readonly detail: string;
}

/** How many hooks are read at a time. */
export const MAX_QUEUED_READ = 100;
/** Shorter waits are not worth an event. */
const NOTED_AFTER_SECONDS = 1;

const QUEUED: Statement = {
  name: "queued-hooks",
  text: `
    WITH RECURSIVE ${WAITING_TARGETS}
    SELECT queued.id, queued.run_id, queued.mode, queued.target, queued.due_at::text AS due
    FROM targets AS known, LATERAL (
      SELECT id, run_id, mode, target, due_at FROM run_hooks
      WHERE state = 'pending' AND run_hooks.mode = known.mode AND run_hooks.target = known.target
        AND due_at >= $1::timestamptz AND (due_at, id) > ($1::timestamptz, $2) AND due_at < now() - make_interval(secs => ${NOTED_AFTER_SECONDS})
      ORDER BY due_at, id LIMIT ${MAX_QUEUED_READ}
    ) AS queued
    WHERE known.target <> ''
    ORDER BY queued.due_at, queued.id LIMIT ${MAX_QUEUED_READ}`,
};

/** The http hooks that have been due for a while, those after another one. Hooks of one transaction may be due at the same time. */
export function queuedHooks(
  queries: Queries,
  { due, id }: Pick<QueuedHook, "due" | "id">,
): Promise<readonly QueuedHook[]> {
  return queries.run<QueuedHook>(QUEUED, [due, id]);
}

const NOTE: Statement = {
  name: "note-waiting-hook",
  text: "UPDATE run_hooks SET waiting = coalesce(waiting, '{}'::jsonb) || $2::jsonb WHERE id = $1",
};

/** Records why a hook waits, once for each reason. */
export async function noteWaiting(
  queries: Queries,
  { id, run_id }: QueuedHook,
  limit: LimitReached,
): Promise<void> {
  await lockRun(queries, run_id);
  const hook = await lockHook(queries, id);
  if (hook?.state !== "pending" || hook.waiting?.reason === limit.reason) return;
  await queries.run(NOTE, [id, JSON.stringify(limit)]);
  await recordEvent(queries, run_id, "hook_waiting", { ...hookFacts(hook), ...limit });
}
