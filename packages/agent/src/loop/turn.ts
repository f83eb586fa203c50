import { StopGate } from "@tenterhook/engine/host";
import { isInstanceOf } from "@tenterhook/internal";
import { type Payload, TenterhookError } from "@tenterhook/protocol";
import { finalMessageOf, hookMessage } from "../run/agent-event.ts";
import { FinalError, offerToErrorHooks } from "../run/recovery.ts";
import type { RunContext } from "../run/run-context.ts";
import type { StopReason } from "../run/run-result.ts";
import { RunStopped } from "../run/run-stopped.ts";
import { Step, type StepParts } from "./step.ts";
import { type AnswerSchema, outputFeedback, readOutput } from "./structured-output.ts";

/** How the loop ended without an error. */
export interface TurnEnd {
  readonly status: "completed" | "stopped";
  readonly stopReason: StopReason;
  readonly reason?: string;
  readonly text: string;
  /** The parsed final text; absent unless completed. */
  readonly output?: unknown;
}

/** The delegation of a subagent's run. */
export interface Delegation {
  readonly subagentName: string;
  readonly subagentId: string;
  readonly taskDescription: string;
}

/** The loop: step after step, until the model calls no more tools and the stop gates let the agent stop. */
export class Turn {
  readonly #parts: StepParts;
  readonly #run: RunContext;
  readonly #output: AnswerSchema | undefined;
  readonly #delegation: Delegation | undefined;
  readonly #gate: StopGate;
  readonly #subagentGate: StopGate<"subagent_stop">;
  #refusals = 0;
  /** The latest text. */
  text = "";
  /** Set when the agent stopped although its stop gate was not satisfied. */
  unsatisfied: TenterhookError | undefined;
  /** Whether `subagent_stop` was fired. */
  hasFiredSubagentStop = false;

  constructor(parts: StepParts, output: AnswerSchema | undefined, delegation: Delegation | undefined) {
    this.#parts = parts;
    this.#run = parts.run;
    this.#output = output;
    this.#delegation = delegation;
    const { hooks } = parts.run;
    const maxBlocks = parts.settings.maxHolds;
    this.#gate = new StopGate(hooks, { maxBlocks });
    this.#subagentGate = new StopGate(hooks, { maxBlocks, event: "subagent_stop" });
  }

  /** Runs to the end. Rejects with an error that no hook recovered, or with `RunStopped`. */
  async run(): Promise<TurnEnd> {
    const { history, settings } = this.#parts;
    const run = this.#run;
    for (;;) {
      run.checkAborted();
      const limit = this.#limitReached();
      if (limit !== undefined) return this.#stop(limit.stopReason, limit.reason);
      const end = await this.#orRecovered(() => new Step(this.#parts).run());
      await this.#orRecovered(() => this.#parts.save());
      if (end === undefined) continue;
      if (end.type === "continue") {
        if (end.isRejected && settings.stopOnRejection) {
          return this.#stop("tool_rejected", "a person rejected a tool call");
        }
        continue;
      }
      if (end.type === "refused") {
        this.#countRefusal(
          "answer_refused",
          `hooks refused the answers; the last time because: ${end.reason}`,
        );
        continue;
      }
      this.text = end.text;
      const output = await this.#readOutput(end.text);
      if (output === undefined) continue;
      const feedback = await this.#checkGates("no_tool_calls");
      if (feedback === undefined)
        return { status: "completed", stopReason: "no_tool_calls", text: this.text, output: output.value };
      history.append(hookMessage(feedback));
    }
  }

  /** Runs a part of an iteration; `undefined` if it failed and a hook handled the error. */
  async #orRecovered<T>(part: () => Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      const recovery = await offerToErrorHooks(this.#run, error, { phase: "iteration" });
      if (recovery.type === "unrecovered") throw new FinalError(recovery.error);
      return undefined;
    }
  }

  #limitReached(): { readonly stopReason: StopReason; readonly reason: string } | undefined {
    const { stepCount, tokens, identity } = this.#run;
    const { maxSteps, maxTokens } = identity;
    if (stepCount >= maxSteps)
      return { stopReason: "max_steps", reason: `it reached its limit of ${maxSteps} steps` };
    if (tokens < maxTokens) return undefined;
    return { stopReason: "budget_exhausted", reason: `it used ${tokens} of ${maxTokens} tokens` };
  }

  /** Stops at a limit, which no hook overrides. The gates still run, and the result shows if one is not satisfied. */
  async #stop(stopReason: StopReason, reason: string): Promise<TurnEnd> {
    try {
      await this.#checkGates(stopReason);
    } catch (error) {
      if (this.unsatisfied === undefined || !isInstanceOf(error, FinalError)) throw error;
    }
    return { status: "stopped", stopReason, reason, text: this.text };
  }

  /** The feedback of a gate that makes the agent continue. A gate that reached its limit fails the turn. */
  async #checkGates(stopReason: StopReason): Promise<string | undefined> {
    const run = this.#run;
    const finalMessage = finalMessageOf(this.text);
    const feedback = await this.#checkGate(
      this.#gate,
      run.payload<"before_stop">({ stopReason, stepCount: run.stepCount, finalMessage }),
    );
    if (feedback !== undefined || this.#delegation === undefined) return feedback;
    this.hasFiredSubagentStop = true;
    const { text: result } = this;
    return this.#checkGate(
      this.#subagentGate,
      run.payload<"subagent_stop">({ ...this.#delegation, stopReason, finalMessage, result }),
    );
  }

  async #checkGate<E extends "before_stop" | "subagent_stop">(
    gate: StopGate<E>,
    payload: Payload<E>,
  ): Promise<string | undefined> {
    const { type, reason, endsRun, unsatisfied, dispatch } = await gate.ask(payload, this.#run.options);
    this.#run.recordActs(dispatch, dispatch.trace.original);
    this.#run.checkAborted();
    if (endsRun) throw new RunStopped("stopped_by_hook", reason ?? "a hook stopped the run", dispatch.hook);
    if (unsatisfied !== undefined) {
      this.unsatisfied = unsatisfied;
      throw new FinalError(unsatisfied);
    }
    return type === "go_on" ? (reason ?? "a hook requires you to continue") : undefined;
  }

  async #readOutput(text: string): Promise<{ readonly value: unknown } | undefined> {
    if (this.#output === undefined) return { value: text };
    const read = await readOutput(text, this.#output);
    if ("value" in read) return read;
    this.#countRefusal("bad_output", `the final answer does not have the shape asked for: ${read.problem}`);
    this.#parts.history.append(hookMessage(outputFeedback(read.problem, this.#output)));
    return undefined;
  }

  #countRefusal(code: "answer_refused" | "bad_output", what: string): void {
    if (++this.#refusals <= this.#parts.settings.maxRefusals) return;
    throw new FinalError(
      new TenterhookError(code, `${what} (${this.#refusals} times, which is more than the limit)`),
    );
  }
}
