import { type Message, type Payload, TenterhookError } from "@tenterhook/protocol";
import { stoppedBy, toError } from "./errors.ts";
import { type HostRun, stateOf } from "./run.ts";
import { StopGate } from "./stop-gate.ts";
import { afterStep } from "./turn.ts";

/** Whether the agent may stop; `feedback` is for the model. */
export type StopAnswer = { readonly type: "stop" } | { readonly type: "go_on"; readonly feedback: string };

/** How a run ended. */
export interface Ending {
  readonly status: "completed" | "failed" | "stopped";
  /** The final text. Default: that of the model's last answer. */
  readonly text?: string | undefined;
  readonly error?: Error | undefined;
  /** For `subagent_stop`. Default: the status. */
  readonly stopReason?: string | undefined;
  /** The `run` of `after_agent`, where it is more than the fields of that event. It must not throw. */
  describe?(ended: Required<Pick<Ending, "status">> & Pick<Ending, "error">): Payload<"after_agent">["run"];
}

/**
 * Asks whether the agent may stop: `before_stop`, and `subagent_stop` of a run with a delegation. Rejects after a stop, and with
 * `gate_unsatisfied` when the agent must stop although its gate is not satisfied.
 */
export async function holdAtStop(
  run: HostRun,
  text: string,
  stopReason: string = "no_tool_calls",
): Promise<StopAnswer> {
  run.check();
  const state = stateOf(run);
  const finalMessage = readFinalMessage(text);
  const maxBlocks = run.init.maxHolds ?? 3;
  if (run.hasHooks("before_stop")) {
    state.gate ??= new StopGate(run.hooks, { maxBlocks });
    const stepCount = run.steps.started;
    const payload = run.payload<"before_stop">({ stopReason, stepCount, finalMessage });
    const feedback = await askGate(run, state.gate, payload);
    if (feedback !== undefined) return { type: "go_on", feedback };
  }
  const { delegation } = state;
  if (delegation === undefined || !run.hasHooks("subagent_stop")) return { type: "stop" };
  state.firedSubagentStop = true;
  state.subagentGate ??= new StopGate(run.hooks, { maxBlocks, event: "subagent_stop" });
  const payload = run.payload<"subagent_stop">({ stopReason, finalMessage, result: text, ...delegation });
  const feedback = await askGate(run, state.subagentGate, payload);
  return feedback === undefined ? { type: "stop" } : { type: "go_on", feedback };
}

/** The feedback of a gate that makes the agent continue. */
async function askGate<E extends "before_stop" | "subagent_stop">(
  run: HostRun,
  gate: StopGate<E>,
  payload: Payload<E>,
): Promise<string | undefined> {
  const state = stateOf(run);
  const { type, reason, endsRun, unsatisfied, dispatch } = await gate.ask(payload, state.options);
  run.init.onDispatch?.(dispatch, payload);
  run.check();
  if (endsRun) throw run.stop(stoppedBy(dispatch), reason);
  if (unsatisfied !== undefined) {
    state.unsatisfied = unsatisfied;
    throw unsatisfied;
  }
  return type === "go_on" ? (reason ?? "a hook requires you to continue") : undefined;
}

/** The ending of a run that rejected: stopped by a hook or the caller, refused, or failed. */
export function readFailure(run: HostRun, thrown: unknown): Ending & { readonly error: Error } {
  const { stopped } = run;
  if (stopped !== undefined) return { status: "stopped", error: stopped.error };
  const error = toError(thrown);
  const isRefused = TenterhookError.isInstance(error) && error.code === "turn_refused";
  return { status: isRefused ? "stopped" : "failed", error };
}

/**
 * Ends a run, once: fires `after_step` of an open step, `subagent_stop` if it was not fired, `agent_failed` of a failed run, and `after_agent` if
 * the turn was begun. Returns the error of the run, or that of a hook which reaches the caller. It does not reject.
 */
export async function endRun(run: HostRun, ending: Ending): Promise<Error | undefined> {
  const state = stateOf(run);
  if (state.hasEnded) return ending.error;
  state.hasEnded = true;
  run.signal.release();
  const { text = run.steps.text } = ending;
  const finalMessage = readFinalMessage(text);
  let { status, error } = ending;
  try {
    await afterStep(run, state.messages, status);
  } catch (thrown) {
    const failure = readFailure(run, thrown);
    error ??= failure.error;
    // A hook that fails the turn at its last step does so as at any other.
    if (status === "completed") status = failure.status;
  }
  const { delegation } = state;
  if (delegation !== undefined && !state.firedSubagentStop) {
    const { stopReason = status } = ending;
    await run.fireLast("subagent_stop", { ...delegation, stopReason, finalMessage });
  }
  // A run that was stopped has not failed.
  const failure = status === "failed" && error !== undefined ? { error } : {};
  if (failure.error !== undefined) await run.fireLast("agent_failed", { error: failure.error });
  if (state.message === undefined || !run.hasHooks("after_agent")) return error;
  const { started: stepCount, usage } = run.steps;
  const durationMs = performance.now() - state.startedAt;
  const after = await run.fireLast("after_agent", {
    status,
    userMessage: state.message,
    finalMessage,
    run:
      ending.describe?.({ status, ...failure }) ??
      Object.freeze({ id: run.runId, status, durationMs, stepCount, usage: { ...usage }, output: text }),
    ...failure,
    ...(state.unsatisfied !== undefined && { gateUnsatisfied: true }),
  });
  return after.action === "raise" ? (error ?? after.error) : error;
}

/** The agent's last text as a message, for the events at its end; null if there is none. */
function readFinalMessage(text: string): Message | null {
  return text === "" ? null : { role: "assistant", content: text };
}
