import { DEFAULT_HOOK_SECONDS, type HookTrial, type RunHookType } from "@tenterhook/protocol/runs";
import { pinnedBlueprint, readAgent } from "../agents/blueprint-rows.ts";
import type { Database } from "../database/database.ts";
import { fitDecision } from "../domain/fit-decision.ts";
import type { HookDecision, HookReply } from "../domain/hook-decision.ts";
import { decide } from "../domain/hook-decision.ts";
import { MAX_TRIAL_SECONDS } from "../domain/limits.ts";
import type { HttpHookCaller } from "../hooks/hook-worker.ts";
import { type RunLifecycle, replyOf } from "../lifecycle/index.ts";
import { isQueued, readWaiting } from "../lists/waiting.ts";
import { Problem } from "../problem.ts";
import { targetName } from "../store/hook-target.ts";
import { newId } from "../store/new-id.ts";
import type { HookRow, Json, PinnedHook, RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { recordTrial } from "./record-trial.ts";
import { type TrialSubject, trialInput } from "./trial-input.ts";
import { trialMeaning } from "./trial-meaning.ts";

/** How many hooks one coordinator tries at a time. */
export const MAX_TRIALS = 8;

/** The members of a coordinator that trials use. */
export interface TrialHost {
  readonly database: Database;
  readonly lifecycle: RunLifecycle;
  waitForEnd(id: string, waitMs: number, signal: AbortSignal): Promise<RunRow | undefined>;
  wake(topic: "events"): void;
}

/** A hook to try. */
export interface TriedHook {
  readonly hook_type: RunHookType;
  /** With its mode, and with its name if it has one. */
  readonly definition: PinnedHook;
  /** The agent whose hook it is. */
  readonly agentName?: string;
}

/**
 * Calls hooks to see what they answer. A trial is not a run of the guarded agent: only its event is stored, and the run of the
 * hook's agent, which ends with the trial. When this coordinator crashes, a sweep ends that run.
 */
export class HookTrials {
  readonly #host: TrialHost;
  readonly #call: HttpHookCaller;
  #active = 0;

  constructor(host: TrialHost, call: HttpHookCaller) {
    this.#host = host;
    this.#call = call;
  }

  /** Tries a hook until it has answered, its time is up or the signal fires. */
  async try(tried: TriedHook, subject: TrialSubject, by: string, signal: AbortSignal): Promise<HookTrial> {
    if (this.#active >= MAX_TRIALS) {
      throw new Problem("unavailable", `${MAX_TRIALS} hooks are being tried here already`, {
        hint: "Try again in a moment.",
      });
    }
    this.#active++;
    try {
      return await this.#try(tried, subject, by, signal);
    } finally {
      this.#active--;
    }
  }

  async #try(
    { hook_type, definition, agentName }: TriedHook,
    subject: TrialSubject,
    by: string,
    signal: AbortSignal,
  ): Promise<HookTrial> {
    const { database } = this.#host;
    const { input, run } = await trialInput(database, hook_type, subject, agentName);
    const hook = trialHook(hook_type, definition, input);
    const started = performance.now();
    const { reply, runId } = await this.#reply(hook, by, signal);
    const duration_ms = Math.round(performance.now() - started);
    const { mode, on_error, enforce } = definition;
    const guarded = String(input.agent_name);
    const decision = await fitDecision(hook, decide(hook_type, on_error, reply), async () =>
      run === undefined
        ? ((await readAgent(database, guarded))?.blueprint ?? {})
        : pinnedBlueprint(database, run.agent_name, run.revision),
    );
    const changes = findChanges(hook_type, mode, input, decision);
    const trial: HookTrial = {
      trial_id: hook.id,
      hook_type,
      hook_name: definition.name ?? null,
      agent_name: agentName ?? run?.agent_name ?? null,
      target_type: definition.type,
      target_name: targetName(definition),
      mode,
      on_error,
      input,
      reply: reply.type === "answered" ? (reply.value ?? null) : null,
      outcome: decision.type === "continue" ? "proceed" : decision.type,
      reason: decision.type === "block" || decision.type === "ask" ? decision.reason : null,
      error: decision.type === "failed" ? decision.error : null,
      timed_out: decision.type === "failed" && decision.timedOut,
      changes,
      meaning: trialMeaning({ hook_type, mode, on_error, enforce }, decision, changes !== null),
      http_status: reply.type === "unfit" ? null : (reply.call?.status ?? null),
      attempts: reply.type === "unfit" ? null : (reply.call?.attempts ?? null),
      run_id: runId,
      duration_ms,
    };
    await recordTrial(database, trial, by, signal.aborted);
    this.#host.wake("events");
    return trial;
  }

  async #reply(
    hook: HookRow,
    by: string,
    signal: AbortSignal,
  ): Promise<{ reply: HookReply; runId: string | null }> {
    const { definition } = hook;
    const own = definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS;
    const seconds = Math.min(own, MAX_TRIAL_SECONDS);
    if (definition.type === "agent") {
      const trial = await this.#host.lifecycle.startTrial(definition.agent_name, hook.input, seconds, by);
      return "reply" in trial
        ? { reply: trial.reply, runId: null }
        : this.#replyOfRun(trial.run.id, seconds, signal);
    }
    const limited = { ...hook, definition: { ...definition, timeout_seconds: seconds } };
    const reply = await this.#call(limited, signal);
    if (reply.type !== "failed" || reply.timedOut !== true || own === seconds) return { reply, runId: null };
    const error = `${reply.error} A trial takes ${seconds} seconds at most; the hook itself has ${own}.`;
    return { reply: { ...reply, error }, runId: null };
  }

  /** Waits for the run of the hook's agent, and stops it if it has not ended. */
  async #replyOfRun(id: string, seconds: number, signal: AbortSignal) {
    const { lifecycle, database } = this.#host;
    try {
      const run = await this.#host.waitForEnd(id, seconds * 1_000, signal);
      if (run === undefined) throw new Error(`the run ${id} of a trial is gone`);
      if (run.finished_at !== null) return { reply: replyOf(run), runId: id };
      const error = isQueued(run)
        ? `no runner came to execute it in ${seconds} seconds: ${(await readWaiting(database, run)).detail}`
        : `it took longer than ${seconds} seconds`;
      return { reply: { type: "failed", error, timedOut: true } as const, runId: id };
    } finally {
      const run = await readRun(database, id);
      if (run?.finished_at === null) await lifecycle.stop(id, "its trial has ended");
    }
  }
}

/** A hook as it would be stored for a run. */
function trialHook(hookType: RunHookType, definition: PinnedHook, input: Json): HookRow {
  const now = new Date().toISOString();
  return {
    id: newId("trial"),
    run_id: String(input.run_id),
    agent_name: String(input.agent_name),
    run_created_at: now,
    hook_type: hookType,
    subject: "",
    definition,
    name: definition.name ?? null,
    mode: definition.mode,
    state: "running",
    input,
    output: null,
    error: null,
    child_run_id: null,
    attempt: 1,
    target: "",
    due_at: now,
    calls: 0,
    waiting: null,
    asked: false,
    would_have: null,
    lease_token: null,
    lease_until: null,
    deadline_at: null,
    created_at: now,
    started_at: now,
    finished_at: null,
  };
}

const CHANGEABLE: Readonly<Partial<Record<RunHookType, readonly string[]>>> = {
  on_run_start: ["parameters"],
  on_tool_call: ["tool_input"],
  on_result: ["result_text", "result_data"],
};

/** What a hook that lets a run proceed would change of it. */
function findChanges(type: RunHookType, mode: string, input: Json, decision: HookDecision) {
  const fields = CHANGEABLE[type] ?? [];
  if (decision.type !== "continue" || mode === "async") return null;
  const changed = fields.filter(
    (field) =>
      decision.changes[field] !== undefined &&
      JSON.stringify(decision.changes[field]) !== JSON.stringify(input[field]),
  );
  if (changed.length === 0) return null;
  const pick = (from: Json) => Object.fromEntries(changed.map((field) => [field, from[field] ?? null]));
  return { before: pick(input), after: pick(decision.changes) };
}
