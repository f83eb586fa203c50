import { type Message, type Payload, TenterhookError } from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import type { Dispatch } from "../run/dispatch-hooks.ts";
import { type HostRun, type OwnFields, stateOf } from "./run.ts";

/** A hook refused what was to begin. */
export interface Refused {
  readonly type: "refused";
  /** For the model and for people: without the hook's name. */
  readonly reason: string;
  /** `turn_refused`, or the failure of a guard. */
  readonly error: TenterhookError;
}

/** Fires `session_start`. Rejects after a stop. */
export async function startSession(
  run: HostRun,
  fields: OwnFields<"session_start">,
): Promise<{ readonly type: "go_on"; readonly context: readonly string[] } | Refused> {
  const start = await run.fire("session_start", fields);
  return start.action === "refuse" ? readRefusal(start) : { type: "go_on", context: start.context };
}

/** Fires `session_end`. */
export async function endSession(run: HostRun, fields: OwnFields<"session_end">): Promise<void> {
  await run.fireLast("session_end", fields);
}

/** How a turn begins. */
export type TurnStart = {
  /** The user's message, as hooks changed it. */
  readonly message: string;
} & (
  | {
      readonly type: "go_on";
      /** What hooks added for the model; see `joinContext`. */
      readonly context: readonly string[];
    }
  | Refused
);

/** Fires `before_agent`; `after_agent` follows at the end of the run. Rejects after a stop. */
export async function beginTurn(run: HostRun, message: string): Promise<TurnStart> {
  const state = stateOf(run);
  run.check();
  // With a source of hooks, which may have brought some that the host would not call, every event may have hooks.
  if (!run.hasHooks("before_agent")) {
    state.message = message;
    return { type: "go_on", message, context: [] };
  }
  const problem = await run.init.refusal?.();
  if (problem !== undefined)
    return { type: "refused", message, reason: problem, error: new TenterhookError("turn_refused", problem) };
  run.check();
  state.message = message;
  const before = await run.fire("before_agent", { message });
  const { message: changed } = before.payload;
  state.message = changed;
  if (before.action === "refuse") return { message: changed, ...readRefusal(before) };
  return { type: "go_on", message: changed, context: before.context };
}

/**
 * Continues a run that was paused in the middle of a step, where the framework starts a new one: its `before_agent` and `before_step`
 * were fired before the pause. Rejects if the run is refused.
 */
export async function resumeTurn(run: HostRun, message: string): Promise<void> {
  const problem = await run.init.refusal?.();
  if (problem !== undefined) throw new TenterhookError("turn_refused", problem);
  stateOf(run).message = message;
  run.steps.begin();
}

/** Whether a step runs, and with which messages: the list that was given if no hook changed it. */
export interface StepStart {
  readonly type: "go_on" | "skip";
  readonly messages: readonly Message[];
}

/** Begins a step: fires `before_step`, and `after_step` of a step before it that has not ended. Rejects when a hook fails the turn. */
export async function beforeStep(run: HostRun, messages: readonly Message[]): Promise<StepStart> {
  run.check();
  const current = await afterStep(run, messages);
  run.check();
  const stepIndex = run.steps.begin();
  stateOf(run).messages = current;
  if (!run.hasHooks("before_step")) return { type: "go_on", messages: current };
  const frozen = snapshot(current) as Message[];
  const before = await run.fire("before_step", { stepIndex, messages: frozen });
  if (before.action === "fail") throw before.error ?? new Error(before.reason ?? "a hook failed");
  run.checkEffects(before);
  applyState(run, before.payload);
  const changed = before.payload.messages;
  stateOf(run).messages = changed;
  return {
    type: before.action === "skip" ? "skip" : "go_on",
    messages: changed === frozen ? current : changed,
  };
}

/**
 * Ends the step that is open, if one is: fires `after_step`. Returns the messages, as hooks changed them. Rejects when a hook fails the turn.
 */
export async function afterStep(
  run: HostRun,
  messages: readonly Message[],
  status: NonNullable<Payload<"after_step">["status"]> = "completed",
): Promise<readonly Message[]> {
  const { steps } = run;
  if (!steps.isOpen) return messages;
  if (status === "completed" || status === "skipped") steps.completed++;
  const fields = steps.end();
  if (!run.hasHooks("after_step")) return messages;
  const frozen = snapshot(messages) as Message[];
  const after = await run.fireAfter("after_step", { messages: frozen, status, ...fields });
  if (after.action === "fail") throw after.error ?? new Error(after.reason ?? "a hook failed");
  run.checkEffects(after);
  applyState(run, after.payload);
  return after.payload.messages === frozen ? messages : after.payload.messages;
}

/** Of a changed state only the metadata is applied: the host owns the rest. */
function applyState({ metadata }: HostRun, { state }: Payload<"before_step"> | Payload<"after_step">): void {
  // Keys that it lacks are not deleted: another hook may have written them in the meantime.
  if (state?.metadata !== undefined && state.metadata !== metadata) Object.assign(metadata, state.metadata);
}

/** Why a hook refused a session, a turn or a delegation. */
export function readRefusal({
  hook,
  event,
  error,
  reason = "no reason given",
}: Dispatch<"session_start" | "before_agent" | "subagent_start">): Refused {
  return {
    type: "refused",
    reason,
    error: error ?? new TenterhookError("turn_refused", reason, { hook, event }),
  };
}

/** Context that hooks add for the model, marked to distinguish it from the user's text. */
export function contextText(context: readonly string[]): string {
  return `<hook_context>\n${context.join("\n")}\n</hook_context>`;
}

/** A text for the model with the context that hooks added, if there is any. */
export function joinContext(text: string, context: readonly string[]): string {
  return context.length === 0 ? text : `${text}\n\n${contextText(context)}`;
}
