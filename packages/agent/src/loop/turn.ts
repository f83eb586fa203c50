import { StopGate } from "@tenterhook/engine";
import { type Message, TenterhookError } from "@tenterhook/protocol";
import type { InputSchema } from "../tools/input-schema.ts";
import { recover, Settled } from "./recovery.ts";
import type { StopReason } from "./run.ts";
import { hookMessage } from "./run-event.ts";
import type { RunScope } from "./run-scope.ts";
import { RunStopped } from "./run-stopped.ts";
import { Step, type StepParts } from "./step.ts";
import { readOutput } from "./structured-output.ts";

/** How the loop ended, short of an error. */
export interface TurnEnd {
  readonly status: "completed" | "stopped";
  readonly stopReason: StopReason;
  readonly reason?: string;
  readonly text: string;
  /** The value of the final text; absent unless completed. */
  readonly output?: unknown;
}

/** What the loop knows of the delegation that it is, when it is a subagent's. */
export interface Delegation {
  readonly subagentName: string;
  readonly subagentId: string;
  readonly taskDescription: string;
}

/** The loop: step after step, until the agent has nothing left to do and its gates let it stop. */
export class Turn {
  readonly #parts: StepParts;
  readonly #run: RunScope;
  readonly #output: InputSchema | undefined;
  readonly #delegation: Delegation | undefined;
  readonly #gate: StopGate;
  readonly #subagentGate: StopGate<"subagent_stop">;
  #refusals = 0;
  /** The latest text, for whoever wants to know how far it got. */
  text = "";
  /** Set when the agent stopped although its gate did not let it. */
  unsatisfied: TenterhookError | undefined;
  /** Whether hooks have heard that the subagent stops. */
  isSubagentStopTold = false;

  constructor(parts: StepParts, output: InputSchema | undefined, delegation: Delegation | undefined) {
    this.#parts = parts;
    this.#run = parts.run;
    this.#output = output;
    this.#delegation = delegation;
    const { hooks } = parts.run;
    const maxBlocks = parts.settings.maxHolds;
    this.#gate = new StopGate(hooks, { maxBlocks });
    this.#subagentGate = new StopGate(hooks, { maxBlocks, event: "subagent_stop" });
  }

  /** Runs to the end. Rejects with the error that nothing recovered, or with `RunStopped`. */
  async carryOut(): Promise<TurnEnd> {
    const { history, settings } = this.#parts;
    const run = this.#run;
    for (;;) {
      run.checkAborted();
      const limit = this.#limitReached();
      if (limit !== undefined) return this.#stop("stopped", limit.stopReason, limit.reason);
      const end = await this.#orRecovered(() => new Step(this.#parts).carryOut());
      await this.#orRecovered(() => this.#parts.save());
      if (end === undefined) continue;
      if (end.type === "goes_on") {
        if (end.isRejected && settings.stopOnRejection) {
          return this.#stop("stopped", "tool_rejected", "a person rejected a tool call");
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
      const held = await this.#held("no_tool_calls");
      if (held === undefined) return this.#end("completed", "no_tool_calls", undefined, output.value);
      history.append(hookMessage(held));
    }
  }

  /** Carries out a part of an iteration; `undefined` when it failed and a hook dealt with that. */
  async #orRecovered<T>(part: () => Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      const recovery = await recover(this.#run, error, { phase: "iteration" });
      if (recovery.type === "stands") throw new Settled(recovery.error);
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

  /** Stops at a limit that no hook overrides; gates hear of it, and that they are not satisfied is kept and shown. */
  async #stop(status: TurnEnd["status"], stopReason: StopReason, reason: string): Promise<TurnEnd> {
    try {
      await this.#held(stopReason);
    } catch (error) {
      if (this.unsatisfied === undefined || !(error instanceof Settled)) throw error;
    }
    return this.#end(status, stopReason, reason, undefined);
  }

  /** Why the agent must go on, if its gates hold it. A gate that had to give up fails the turn. */
  async #held(stopReason: StopReason): Promise<string | undefined> {
    const run = this.#run;
    const finalMessage = this.#finalMessage;
    const options = run.options;
    const asked = run.payload<"before_stop">({ stopReason, stepCount: run.stepCount, finalMessage });
    const verdict = await this.#gate.ask(asked, options);
    run.noteActs(verdict.dispatch, verdict.dispatch.trace.original);
    this.#heed(verdict);
    if (verdict.type === "go_on") return verdict.reason ?? "a hook wants you to go on";
    if (this.#delegation === undefined) return undefined;
    const stopping = run.payload<"subagent_stop">({
      ...this.#delegation,
      stopReason,
      finalMessage,
      result: this.text,
    });
    const subagent = await this.#subagentGate.ask(stopping, options);
    run.noteActs(subagent.dispatch, subagent.dispatch.trace.original);
    this.isSubagentStopTold = true;
    this.#heed(subagent);
    return subagent.type === "go_on" ? (subagent.reason ?? "a hook wants you to go on") : undefined;
  }

  #heed(verdict: {
    readonly endsRun: boolean;
    readonly reason?: string;
    readonly unsatisfied?: TenterhookError;
    readonly dispatch: { readonly hook: string | undefined };
  }): void {
    this.#run.checkAborted();
    if (verdict.endsRun) {
      throw new RunStopped(
        "stopped_by_hook",
        verdict.reason ?? "a hook stopped the run",
        verdict.dispatch.hook,
      );
    }
    if (verdict.unsatisfied === undefined) return;
    this.unsatisfied = verdict.unsatisfied;
    throw new Settled(verdict.unsatisfied);
  }

  async #readOutput(text: string): Promise<{ readonly value: unknown } | undefined> {
    if (this.#output === undefined) return { value: text };
    const read = await readOutput(text, this.#output);
    if ("value" in read) return read;
    this.#countRefusal("bad_output", `the final answer does not have the shape asked for: ${read.problem}`);
    this.#parts.history.append(
      hookMessage(`Your final answer does not fit: ${read.problem}. Give it again as JSON alone.`),
    );
    return undefined;
  }

  #countRefusal(code: "answer_refused" | "bad_output", what: string): void {
    if (++this.#refusals <= this.#parts.settings.maxRefusals) return;
    throw new Settled(
      new TenterhookError(code, `${what} (${this.#refusals} times, which is more than the limit)`),
    );
  }

  get #finalMessage(): Message | null {
    return this.text === "" ? null : { role: "assistant", content: this.text };
  }

  #end(
    status: TurnEnd["status"],
    stopReason: StopReason,
    reason: string | undefined,
    output: unknown,
  ): TurnEnd {
    const { text } = this;
    return {
      status,
      stopReason,
      text,
      ...(reason !== undefined && { reason }),
      ...(output !== undefined && { output }),
    };
  }
}
