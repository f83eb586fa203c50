import { isChained } from "../agents/hook-input-fit.ts";
import { pinHooks } from "../agents/pin-hooks.ts";
import type { Queries, Statement } from "../database/database.ts";
import { eventType } from "../store/event-type.ts";
import { lockHook } from "../store/hook-rows.ts";
import { hookFacts } from "../store/hook-target.ts";
import type { HookRow, RunRow } from "../store/rows.ts";
import { lockRun } from "../store/run-rows.ts";
import { createRun } from "./create-run.ts";
import { readHookAgent } from "./hook-agent.ts";
import { beginCall, clearDeadline, setHook } from "./hook-rows.ts";
import { recordEvent } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

/** What remains to be done for a hook that has begun. */
export type Begun =
  /** A run executes it, or it has ended already. */
  | { readonly type: "nothing" }
  /** Its URL must be called, in the time that is left. */
  | { readonly type: "call"; readonly hook: HookRow; readonly leftMs: number };

/**
 * Begins a hook that was claimed. An agent hook becomes a run, in the transaction that notes which one; so there is never
 * a second run for a hook, and never a hook that waits without a run.
 */
export async function beginHook(
  transition: Transition,
  { id, run_id, lease_token }: HookRow,
): Promise<Begun> {
  const { queries } = transition;
  const run = await lockRun(queries, run_id);
  const hook = await lockHook(queries, id);
  const isOurs = hook?.state === "running" && hook.lease_token === lease_token;
  if (run === undefined || hook === undefined || !isOurs) return { type: "nothing" };
  if (!(await hasStarted(queries, hook))) await recordEvent(queries, run.id, "hook_start", hookFacts(hook));
  if (hook.definition.type === "http") {
    const begun = await beginCall(queries, hook.id);
    return begun === undefined
      ? { type: "nothing" }
      : { type: "call", hook: begun, leftMs: begun.seconds_left * 1_000 };
  }
  await startAgent(transition, run, hook, hook.definition.agent_name);
  return { type: "nothing" };
}

const STARTED: Statement = {
  name: "hook-has-started",
  text: `
    SELECT id FROM events WHERE run_id = $1 AND type = ${eventType("hook_start")} AND data->>'hook_id' = $2`,
};

/** Whether its start was recorded. The coordinator that claimed it before may have crashed before or after that. */
async function hasStarted(queries: Queries, { id, run_id, attempt }: HookRow): Promise<boolean> {
  return attempt > 1 && (await queries.run(STARTED, [run_id, id])).length > 0;
}

async function startAgent(
  transition: Transition,
  run: RunRow,
  hook: HookRow,
  agentName: string,
): Promise<void> {
  const { queries, limits } = transition;
  const found = await readHookAgent(queries, agentName, hook.input);
  if ("reply" in found) return transition.answerHook(hook, found.reply);
  const { blueprint, revision } = found.agent;
  // An asynchronous finish hook starts an ordinary run with hooks of its own; all other hook runs have none.
  const chained = isChained(hook.hook_type, hook.mode);
  if (chained && run.depth >= limits.maxDepth) {
    const error = `hooks, and the runs that they started or resumed, have started each other ${run.depth} times, which is the limit`;
    return transition.answerHook(hook, { type: "failed", error });
  }
  const child = await createRun(queries, {
    agentName,
    revision,
    kind: chained ? "chained" : "hook",
    parentSessionId: run.session_id,
    parentRunId: run.id,
    requesters: run.requesters,
    executionMode: "async_poll",
    parameters: found.input,
    hooks: chained ? await pinHooks(queries, blueprint) : {},
    hookId: hook.id,
    depth: run.depth + (chained ? 1 : 0),
    tags: blueprint.tags,
    timeoutSeconds: chained ? blueprint.timeout_seconds : hook.definition.timeout_seconds,
    maxAttempts: blueprint.max_attempts,
    hasOutputSchema: blueprint.output_schema !== undefined,
  });
  // A new session cannot be busy; an agent that was just changed is read again at the hook's next attempt.
  if (typeof child === "string") throw new Error(`the hook ${hook.id} could not be begun: ${child}`);
  await setHook(queries, hook.id, "waiting", { childRunId: child.id });
  // No run waits for it, so it has no deadline unless its definition sets one, which starts at its claim.
  if (chained) await clearDeadline(queries, hook.id);
}
