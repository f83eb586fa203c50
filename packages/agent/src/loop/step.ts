import { snapshot } from "@tenterhook/engine/host";
import { isInstanceOf } from "@tenterhook/internal";
import type { Message, Payload } from "@tenterhook/protocol";
import type { ModelAnswer } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import { hookMessage, type StepStatus } from "../run/agent-event.ts";
import { FinalError } from "../run/recovery.ts";
import type { RunContext } from "../run/run-context.ts";
import { RunStopped } from "../run/run-stopped.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { callTools, fireForExecutedCall } from "./call-tools.ts";
import { compact, estimateTokens } from "./compaction.ts";
import type { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { toolUsesOf } from "./model-answer.ts";
import { callModel } from "./model-call.ts";
import type { ToolCallEnd } from "./tool-execution.ts";
import { toolResultPart } from "./tool-output.ts";

/** How a step ended. */
export type StepEnd =
  /** The model called tools and reads their results in the next step. */
  | { readonly type: "continue"; readonly isRejected: boolean }
  /** The model called no more tools. */
  | { readonly type: "done"; readonly text: string }
  | { readonly type: "refused"; readonly reason: string };

/** What the steps of a run use. */
export interface StepParts {
  readonly run: RunContext;
  readonly history: History;
  readonly models: Models;
  readonly toolbox: Toolbox;
  readonly settings: LoopSettings;
  readonly outputSchema: object | undefined;
  /** Stores the conversation; its errors fail the turn. */
  save(): Promise<void>;
}

/** One iteration: one model call, and the tool calls that it asks for. */
export class Step {
  readonly #parts: StepParts;
  readonly #index: number;
  #isSkipped = false;
  #answer: ModelAnswer | undefined;
  #ends: readonly ToolCallEnd[] = [];

  constructor(parts: StepParts) {
    this.#parts = parts;
    this.#index = parts.run.stepCount++;
  }

  async run(): Promise<StepEnd> {
    const { run, history } = this.#parts;
    run.emit({ type: "step_start", step: run.step });
    let end: StepEnd;
    try {
      end = await this.#runInner();
    } catch (error) {
      await this.#fireAfter(isInstanceOf(error, RunStopped) ? "stopped" : "failed");
      throw error;
    }
    run.completedSteps++;
    const after = await this.#fireAfter(this.#isSkipped ? "skipped" : "completed");
    if (after.action === "fail")
      throw new FinalError(after.error ?? new Error(after.reason ?? "a hook failed"));
    this.#applyState(after.payload);
    history.replace(after.payload.messages);
    return end;
  }

  async #runInner(): Promise<StepEnd> {
    const { run, history } = this.#parts;
    const before = await run.fire("before_step", {
      stepIndex: this.#index,
      messages: history.messages as Message[],
    });
    if (before.action === "fail")
      throw new FinalError(before.error ?? new Error(before.reason ?? "a hook failed"));
    this.#applyState(before.payload);
    history.replace(before.payload.messages);
    if (before.action === "skip") {
      this.#isSkipped = true;
      return { type: "continue", isRejected: false };
    }
    await this.#compactIfLong();
    return this.#callModel();
  }

  async #callModel(): Promise<StepEnd> {
    const { run, history, models, toolbox, settings, outputSchema } = this.#parts;
    const call = {
      systemPrompt: settings.instructions,
      messages: history.messages,
      tools: toolbox.definitions,
      outputSchema,
    };
    const result = await callModel(run, models, settings, call);
    if (result.type === "refused") {
      history.append(hookMessage(`Your last answer was refused: ${result.reason}`));
      return { type: "refused", reason: result.reason };
    }
    if (result.type === "suppressed") return { type: "continue", isRejected: false };
    const { answer, hasShown } = result;
    this.#answer = answer;
    const { text } = answer;
    const { step } = run;
    if (run.isStreamed && !hasShown && text !== "") run.emit({ type: "text_delta", step, text });
    run.emit({ type: "answer", step, text, toolUses: toolUsesOf(answer) });
    if (answer.message !== undefined) history.append(answer.message);
    run.recordStep(this.#record());
    return this.#callTools(answer);
  }

  async #callTools({ toolCalls, text }: ModelAnswer): Promise<StepEnd> {
    const { run, history, settings, toolbox } = this.#parts;
    const executed = toolCalls.filter((call) => call.executed !== undefined);
    const toRun = toolCalls.filter((call) => call.executed === undefined);
    const ends = toRun.length === 0 ? [] : await callTools(run, settings, toolbox, toRun, history.messages);
    this.#ends = ends;
    if (ends.length > 0) {
      const content = ends.map(({ call, output }) => toolResultPart(call.id, call.name, output));
      history.append({ role: "tool", content });
    }
    // Every call has its result in the conversation before the run unwinds, so that the session can be continued.
    const stopped = ends.find((end) => end.stopped !== undefined)?.stopped;
    if (stopped !== undefined) throw stopped;
    for (const call of executed) this.#ends = [...this.#ends, await fireForExecutedCall(run, call, history)];
    const context = this.#ends.flatMap((end) => end.context);
    if (context.length > 0) history.append(hookMessage(contextText(context)));
    run.recordStep(this.#record());
    if (toRun.length === 0) return { type: "done", text };
    return { type: "continue", isRejected: ends.some(({ isRejected }) => isRejected) };
  }

  async #compactIfLong(): Promise<void> {
    const { run, history, models, settings } = this.#parts;
    const { compaction } = settings;
    if (compaction === undefined || estimateTokens(history.messages) <= compaction.maxTokens) return;
    await compact(run, models, settings, compaction, history, "auto");
  }

  #fireAfter(status: StepStatus) {
    const { run, history } = this.#parts;
    const usage = run.takeStepUsage();
    run.emit({ type: "step_end", step: run.step, status, ...(usage !== undefined && { usage }) });
    return run.fireAfter("after_step", {
      stepIndex: this.#index,
      messages: history.messages as Message[],
      step: this.#record(),
      toolCalls: snapshot(
        this.#ends.map(({ call, input, result }) => ({ id: call.id, name: call.name, input, result })),
        (part) => isInstanceOf(part, Error),
      ),
      completedWithText: this.#answer !== undefined && this.#ends.length === 0 && this.#answer.text !== "",
      status,
    });
  }

  #record(): NonNullable<Payload<"after_step">["step"]> {
    return snapshot({
      index: this.#index,
      text: this.#answer?.text ?? "",
      toolCalls: this.#answer === undefined ? [] : toolUsesOf(this.#answer),
      hasErrors: this.#ends.some(({ result }) => !result.success),
    });
  }

  /** Of a changed state only the metadata is applied: the loop owns the rest. */
  #applyState({ state }: Payload<"before_step"> | Payload<"after_step">): void {
    const { metadata } = this.#parts.run;
    // Keys that it lacks are not deleted: another hook may have written them in the meantime.
    if (state?.metadata !== undefined && state.metadata !== metadata) Object.assign(metadata, state.metadata);
  }
}

/** Context that hooks add for the model, marked to distinguish it from the user's text. */
export function contextText(context: readonly string[]): string {
  return `<hook_context>\n${context.join("\n")}\n</hook_context>`;
}
