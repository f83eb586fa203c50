import { performance } from "node:perf_hooks";
import { type Message, type Payload, TenterhookError } from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import { StopGate } from "../run/stop-gate.ts";
import { contextText } from "./context-text.ts";
import type { HookedRun } from "./hooked-run.ts";
import { mayHaveOneOf } from "./registered-hooks.ts";
import { toError } from "./to-error.ts";

/** How a turn begins. */
export type Beginning =
  | {
      readonly type: "go_on";
      /** The user's message, as hooks changed it. */
      readonly message: string;
      readonly context: readonly string[];
      /** What the model reads: the message and the context that hooks added. */
      readonly text: string;
    }
  | { readonly type: "refused"; readonly reason: string; readonly error: TenterhookError };

/** Whether a step runs. */
export type StepBeginning =
  /** `messages` is the list that was given if no hook changed it. */
  {
    readonly type: "go_on" | "skip";
    readonly messages: readonly Message[];
  };

/** Whether the agent may stop. */
export type StopAnswer = { readonly type: "stop" } | { readonly type: "go_on"; readonly feedback: string };

/** How a run ended. */
export interface RunEnding {
  readonly status: "completed" | "failed" | "stopped";
  readonly text?: string | undefined;
  readonly error?: Error | undefined;
}

/** The events around a run and its steps: `before_agent`, `before_step`, `after_step`, `before_stop`, `after_agent`. */
export class RunEvents {
  readonly run: HookedRun;
  readonly #startedAt = performance.now();
  #gate: StopGate | undefined;
  #subagentGate: StopGate<"subagent_stop"> | undefined;
  #message: string | undefined;
  #hasFiredSubagentStop = false;
  /** Whether `end` was called. */
  hasEnded = false;
  /** Set when the agent stopped although its stop gate was not satisfied. */
  unsatisfied: TenterhookError | undefined;

  constructor(run: HookedRun) {
    this.run = run;
  }

  /** Fires `before_agent`; a promise only if it may have hooks. Throws or rejects with `stopped` when a hook stops the run. */
  begin(message: string): Beginning | Promise<Beginning> {
    const { run } = this;
    this.#message = message;
    // With a source of hooks, which may have brought some that are not enforced here, every event may have hooks.
    if (run.hasHooks("before_agent")) return this.#askHooks(message);
    run.checkStopped();
    return { type: "go_on", message, context: [], text: message };
  }

  /** Begins a run whose beginning no hook looks at. Returns false, and does nothing, if one does. */
  startUnobserved(message: string): boolean {
    if (this.run.hasHooks("before_agent")) return false;
    this.#message = message;
    return true;
  }

  async #askHooks(message: string): Promise<Beginning> {
    const { run } = this;
    const problem = await run.details.check?.findRefusal();
    if (problem !== undefined) return refused(problem, new TenterhookError("turn_refused", problem));
    const before = await run.fire("before_agent", { message });
    const { payload, context, reason = "no reason given", hook, error } = before;
    this.#message = payload.message;
    if (before.action === "refuse")
      return refused(
        reason,
        error ?? new TenterhookError("turn_refused", reason, { hook, event: "before_agent" }),
      );
    const text = context.length === 0 ? payload.message : `${payload.message}\n\n${contextText(context)}`;
    return { type: "go_on", message: payload.message, context, text };
  }

  /**
   * Continues a run that was paused in the middle of a step, where the framework starts a new one: its `before_agent` and `before_step`
   * were fired before the pause. Throws if the run is refused.
   */
  async resume(message: string): Promise<void> {
    const problem = await this.run.details.check?.findRefusal();
    if (problem !== undefined) throw new TenterhookError("turn_refused", problem);
    this.#message = message;
    this.run.steps.begin();
  }

  /** Fires `before_step`, and `after_step` of a step before it that has not ended. Throws when a hook fails the turn. */
  async beforeStep(messages: readonly Message[]): Promise<StepBeginning> {
    const { run } = this;
    if (run.steps.isOpen) await this.afterStep(messages);
    const stepIndex = run.steps.begin();
    if (!run.hasHooks("before_step")) {
      run.checkStopped();
      return { type: "go_on", messages };
    }
    const frozen = snapshot(messages) as Message[];
    const before = await run.fire("before_step", { stepIndex, messages: frozen });
    if (before.action === "fail") throw before.error ?? new Error(before.reason ?? "a hook failed");
    run.checkEffects(before);
    this.#applyState(before.payload);
    const changed = before.payload.messages;
    return {
      type: before.action === "skip" ? "skip" : "go_on",
      messages: changed === frozen ? messages : changed,
    };
  }

  /** Fires `after_step` if a step is open. Returns the messages, as hooks changed them. Throws when a hook fails the turn. */
  async afterStep(
    messages: readonly Message[],
    status: NonNullable<Payload<"after_step">["status"]> = "completed",
  ): Promise<readonly Message[]> {
    const { run } = this;
    if (!run.steps.isOpen) return messages;
    const isObserved = run.hasHooks("after_step");
    if (status === "completed" || status === "skipped") run.steps.completed++;
    if (!isObserved) {
      run.steps.close();
      return messages;
    }
    const fields = run.steps.end();
    const frozen = snapshot(messages) as Message[];
    const after = await run.fireAfter("after_step", { messages: frozen, status, ...fields });
    if (after.action === "fail") throw after.error ?? new Error(after.reason ?? "a hook failed");
    run.checkEffects(after);
    this.#applyState(after.payload);
    return after.payload.messages === frozen ? messages : after.payload.messages;
  }

  /**
   * Fires `before_stop`, and `subagent_stop` for a subagent. An agent that must stop although its gate is not satisfied gets the
   * error `gate_unsatisfied` thrown; `stopped` is thrown when a hook ended the run.
   */
  async askStop(text: string, stopReason = "no_tool_calls"): Promise<StopAnswer> {
    const { run } = this;
    if (!run.hasHooks("before_stop") && !run.hasHooks("subagent_stop")) {
      run.checkStopped();
      return { type: "stop" };
    }
    const finalMessage = readFinalMessage(text);
    const stepCount = run.steps.started;
    const maxBlocks = run.options.maxHolds ?? 3;
    this.#gate ??= new StopGate(run.hooks, { maxBlocks });
    const feedback = await this.#askGate(
      this.#gate,
      run.payload<"before_stop">({ stopReason, stepCount, finalMessage }),
    );
    if (feedback !== undefined) return { type: "go_on", feedback };
    const { delegation } = run.details;
    if (delegation === undefined) return { type: "stop" };
    this.#hasFiredSubagentStop = true;
    this.#subagentGate ??= new StopGate(run.hooks, { maxBlocks, event: "subagent_stop" });
    const later = await this.#askGate(
      this.#subagentGate,
      run.payload<"subagent_stop">({ stopReason, finalMessage, result: text, ...delegation }),
    );
    return later === undefined ? { type: "stop" } : { type: "go_on", feedback: later };
  }

  /** Begins a step that no hook looks at. Returns false, and does nothing, if one does. */
  beginUnobserved(): boolean {
    const { run } = this;
    if (mayHaveOneOf(run.hooks, STEP_EVENTS)) return false;
    run.checkStopped();
    this.#closeStep();
    run.steps.begin();
    return true;
  }

  /** Ends a step that no hook looks at. Returns false, and does nothing, if one does. */
  endStepUnobserved(): boolean {
    if (this.run.hasHooks("after_step")) return false;
    this.#closeStep();
    return true;
  }

  /** Ends a run, after its last answer, whose end no hook looks at. Returns false, and does nothing, if one does. */
  endUnobserved(): boolean {
    const { run } = this;
    if (mayHaveOneOf(run.hooks, END_EVENTS)) return false;
    run.checkStopped();
    this.#closeStep();
    this.hasEnded = true;
    run.release();
    return true;
  }

  #closeStep(): void {
    const { steps } = this.run;
    if (!steps.isOpen) return;
    steps.completed++;
    steps.close();
  }

  /** Fires the events at the end of a run, once. Returns the error of the run, or that of a hook which reaches the caller. */
  async end(ending: RunEnding): Promise<Error | undefined> {
    const { run } = this;
    if (this.hasEnded) return ending.error;
    this.hasEnded = true;
    run.release();
    const { text = run.steps.text, status } = ending;
    const finalMessage = readFinalMessage(text);
    let { error } = ending;
    if (run.steps.isOpen) {
      const stepStatus = status === "completed" ? "completed" : status;
      await this.afterStep([], stepStatus).catch((failure: Error) => {
        error ??= failure;
      });
    }
    const { delegation } = run.details;
    if (delegation !== undefined && !this.#hasFiredSubagentStop)
      await run.fireLast("subagent_stop", { ...delegation, stopReason: status, finalMessage });
    // A run that was stopped has not failed.
    if (error !== undefined && status === "failed") await run.fireLast("agent_failed", { error });
    if (this.#message === undefined) return error;
    if (!run.hasHooks("after_agent")) return error;
    const { started: stepCount, usage } = run.steps;
    const durationMs = performance.now() - this.#startedAt;
    const after = await run.fireLast("after_agent", {
      status,
      userMessage: this.#message,
      finalMessage,
      run: Object.freeze({ id: run.runId, status, durationMs, stepCount, usage: { ...usage }, output: text }),
      ...(error !== undefined && status === "failed" && { error }),
      ...(this.unsatisfied !== undefined && { gateUnsatisfied: true }),
    });
    return after.action === "raise" ? (error ?? after.error) : error;
  }

  /** The ending of a run that rejected: stopped by a hook or the caller, refused, or failed. */
  readFailure(thrown: unknown): RunEnding & { readonly error: Error } {
    const { stopped } = this.run;
    if (stopped !== undefined) return { status: "stopped", error: stopped };
    const error = toError(thrown);
    const isRefused = TenterhookError.isInstance(error) && error.code === "turn_refused";
    return { status: isRefused ? "stopped" : "failed", error };
  }

  async #askGate<E extends "before_stop" | "subagent_stop">(
    gate: StopGate<E>,
    payload: Payload<E>,
  ): Promise<string | undefined> {
    const { run } = this;
    run.checkStopped();
    const { type, reason, endsRun, unsatisfied, dispatch } = await gate.ask(payload, run.dispatchOptions);
    run.checkStopped();
    if (endsRun) {
      const { hook, event } = dispatch;
      const error = new TenterhookError("run_stopped", reason ?? "a hook stopped the run", { hook, event });
      throw run.stop(error, reason);
    }
    if (unsatisfied !== undefined) {
      this.unsatisfied = unsatisfied;
      throw unsatisfied;
    }
    return type === "go_on" ? (reason ?? "a hook requires you to continue") : undefined;
  }

  /** Of a changed state only the metadata is applied. */
  #applyState({ state }: Payload<"before_step"> | Payload<"after_step">): void {
    const { metadata } = this.run;
    if (state?.metadata !== undefined && state.metadata !== metadata) Object.assign(metadata, state.metadata);
  }
}

const STEP_EVENTS = ["before_step", "after_step"] as const;
const END_EVENTS = ["after_step", "before_stop", "subagent_stop", "after_agent"] as const;

function refused(reason: string, error: TenterhookError): Beginning {
  return { type: "refused", reason, error };
}

/** The agent's last text as a message, for the events at its end; null if there is none. */
function readFinalMessage(text: string): Message | null {
  return text === "" ? null : { role: "assistant", content: text };
}
