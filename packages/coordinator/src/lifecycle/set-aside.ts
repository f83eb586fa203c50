import { messageOf } from "@tenterhook/internal";
import type { Database, Queries } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import { isFinal } from "../domain/run-state.ts";
import { lockHook } from "../store/hook-rows.ts";
import type { HookRow } from "../store/rows.ts";
import { lockRun, readRun } from "../store/run-rows.ts";
import { cancelWaits } from "./cancel-waits.ts";
import { releaseWaiting } from "./end-run.ts";
import { setHook } from "./hook-rows.ts";
import { changeRun, recordEvent } from "./run-changes.ts";
import { settled } from "./settle-hooks.ts";

/**
 * Ends a run that cannot be processed: it fails with the exception as its reason, and its end hooks are not called. It reads and
 * writes as little as possible, because anything else may throw.
 */
export async function setAsideRun(
  database: Database,
  runId: string,
  cause: unknown,
  limits: Limits,
): Promise<void> {
  await database.transaction((queries) => failRun(queries, runId, cause));
  await continueWaiting(database, runId, limits);
}

/** Ends a hook that can neither be begun nor closed. A run that waits for it is set aside; a tool call gets its `on_error`. */
export async function setAsideHook(
  database: Database,
  { id, run_id }: Pick<HookRow, "id" | "run_id">,
  cause: unknown,
  limits: Limits,
): Promise<void> {
  await database.transaction(async (queries) => {
    await lockRun(queries, run_id);
    const hook = await lockHook(queries, id);
    if (hook === undefined || hook.finished_at !== null) return;
    const error = formatReason(cause);
    await setHook(queries, id, "failed", { error });
    // Without the fields of other events: they are read from the definition, which may be broken.
    const { hook_type, name } = hook;
    const facts = { hook_type, hook_id: id, ...(name !== null && { hook_name: name }), error };
    await recordEvent(queries, run_id, "hook_failed", facts);
    if (hook.hook_type !== "on_tool_call" && hook.mode === "sync") await failRun(queries, run_id, cause);
  });
  await continueWaiting(database, run_id, limits);
}

async function failRun(queries: Queries, runId: string, cause: unknown): Promise<void> {
  const run = await lockRun(queries, runId);
  if (run === undefined || isFinal(run.state)) return;
  await cancelWaits(queries, runId, "the run has ended");
  const facts = { error: formatReason(cause), error_code: "set_aside" };
  await changeRun(queries, run, "failed", facts, { type: "run_failed", data: facts });
}

/** Continues the hook and session that wait for a run that was set aside. If that throws as well, the hook's deadline ends it. */
async function continueWaiting(database: Database, runId: string, limits: Limits): Promise<void> {
  await database.transaction((queries) =>
    settled(queries, limits, async (transition) => {
      const run = await readRun(queries, runId);
      if (run === undefined || !isFinal(run.state) || run.error_code !== "set_aside") return;
      await releaseWaiting(transition, run);
    }),
  );
}

const LONGEST_REASON = 1_000;

function formatReason(cause: unknown): string {
  return `the coordinator could not work on it: ${messageOf(cause).slice(0, LONGEST_REASON)}`;
}
