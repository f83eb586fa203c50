import type { Message, Payload } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import type { ModelAnswer } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { compact, estimateTokens } from "./compaction.ts";
import type { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { toolUsesOf } from "./model-answer.ts";
import { callModel } from "./model-call.ts";
import { Settled } from "./recovery.ts";
import { hookMessage, type StepStatus } from "./run-event.ts";
import type { RunScope } from "./run-scope.ts";
import { RunStopped } from "./run-stopped.ts";
import type { ToolEnd } from "./tool-call.ts";
import { callTools, tellExecuted } from "./tool-calls.ts";
import { toolResultPart } from "./tool-output.ts";

/** What a step came to. */
export type StepEnd =
  /** The model called tools; the next step shows it what came of them. */
  | { readonly type: "goes_on"; readonly isRejected: boolean }
  /** The model has nothing left to call. */
  | { readonly type: "done"; readonly text: string }
  | { readonly type: "refused"; readonly reason: string };

/** What steps need of the run that they belong to. */
export interface StepParts {
  readonly run: RunScope;
  readonly history: History;
  readonly models: Models;
  readonly toolbox: Toolbox;
  readonly settings: LoopSettings;
  readonly outputSchema: object | undefined;
  /** Tells the store what the conversation has become; what it rejects with fails the turn. */
  save(): Promise<void>;
}

/** One iteration: the model is asked once, and what it calls is carried out. */
export class Step {
  readonly #parts: StepParts;
  readonly #index: number;
  #isSkipped = false;
  #answer: ModelAnswer | undefined;
  #ends: readonly ToolEnd[] = [];

  constructor(parts: StepParts) {
    this.#parts = parts;
    this.#index = parts.run.stepCount++;
  }

  async carryOut(): Promise<StepEnd> {
    const { run, history } = this.#parts;
    run.emit({ type: "step_start", step: run.step });
    let end: StepEnd;
    try {
      end = await this.#inner();
    } catch (error) {
      await this.#over(error instanceof RunStopped ? "stopped" : "failed");
      throw error;
    }
    run.completedSteps++;
    const after = await this.#over(this.#isSkipped ? "skipped" : "completed");
    if (after.action === "fail") throw new Settled(after.error ?? new Error(after.reason ?? "a hook failed"));
    this.#takeState(after.payload);
    history.replace(after.payload.messages);
    return end;
  }

  async #inner(): Promise<StepEnd> {
    const { run, history } = this.#parts;
    const before = await run.ask("before_step", {
      stepIndex: this.#index,
      messages: history.messages as Message[],
    });
    if (before.action === "fail")
      throw new Settled(before.error ?? new Error(before.reason ?? "a hook failed"));
    this.#takeState(before.payload);
    history.replace(before.payload.messages);
    if (before.action === "skip") {
      this.#isSkipped = true;
      return { type: "goes_on", isRejected: false };
    }
    await this.#compactIfLong();
    return this.#askModel();
  }

  async #askModel(): Promise<StepEnd> {
    const { run, history, models, toolbox, settings, outputSchema } = this.#parts;
    const call = {
      systemPrompt: settings.instructions,
      messages: history.messages,
      tools: toolbox.definitions,
      outputSchema,
    };
    const answered = await callModel(run, models, settings, call);
    if (answered.type === "refused") {
      history.append(hookMessage(`Your last answer was refused: ${answered.reason}`));
      return { type: "refused", reason: answered.reason };
    }
    if (answered.type === "suppressed") return { type: "goes_on", isRejected: false };
    const { answer, hasShown } = answered;
    this.#answer = answer;
    const { text } = answer;
    const { step } = run;
    if (run.streams && !hasShown && text !== "") run.emit({ type: "text_delta", step, text });
    run.emit({ type: "answer", step, text, toolUses: toolUsesOf(answer) });
    if (answer.message !== undefined) history.append(answer.message);
    run.noteStep(this.#record());
    return this.#callTools(answer);
  }

  async #callTools({ toolCalls, text }: ModelAnswer): Promise<StepEnd> {
    const { run, history, settings, toolbox } = this.#parts;
    const executed = toolCalls.filter((call) => call.executed !== undefined);
    const wanted = toolCalls.filter((call) => call.executed === undefined);
    const ends = wanted.length === 0 ? [] : await callTools(run, settings, toolbox, wanted, history.messages);
    this.#ends = ends;
    if (ends.length > 0) {
      const content = ends.map(({ call, output }) => toolResultPart(call.id, call.name, output));
      history.append({ role: "tool", content });
    }
    // Every call has its result in the conversation before anything unwinds, so that it can be gone on with later.
    const stopped = ends.find((end) => end.stopped !== undefined)?.stopped;
    if (stopped !== undefined) throw stopped;
    for (const call of executed) this.#ends = [...this.#ends, await tellExecuted(run, call, history)];
    const context = this.#ends.flatMap((end) => end.context);
    if (context.length > 0) history.append(hookMessage(contextText(context)));
    run.noteStep(this.#record());
    if (wanted.length === 0) return { type: "done", text };
    return { type: "goes_on", isRejected: ends.some(({ isRejected }) => isRejected) };
  }

  async #compactIfLong(): Promise<void> {
    const { run, history, models, settings } = this.#parts;
    const { compaction } = settings;
    if (compaction === undefined || estimateTokens(history.messages) <= compaction.maxTokens) return;
    await compact(run, models, settings, compaction, history, "auto");
  }

  #over(status: StepStatus) {
    const { run, history } = this.#parts;
    run.emit({ type: "step_end", step: run.step, status });
    return run.tell("after_step", {
      stepIndex: this.#index,
      messages: history.messages as Message[],
      step: this.#record(),
      toolCalls: this.#ends.map(({ call, result }) => ({
        id: call.id,
        name: call.name,
        input: isRecord(call.input) ? call.input : {},
        result,
      })),
      completedWithText: this.#answer !== undefined && this.#ends.length === 0 && this.#answer.text !== "",
      status,
    });
  }

  #record(): NonNullable<Payload<"after_step">["step"]> {
    return {
      index: this.#index,
      text: this.#answer?.text ?? "",
      toolCalls: this.#answer === undefined ? [] : toolUsesOf(this.#answer),
      hasErrors: this.#ends.some(({ result }) => !result.success),
    };
  }

  /** A changed state is a changed bag: the rest of it is the loop's own. */
  #takeState({ state }: Payload<"before_step"> | Payload<"after_step">): void {
    const { metadata } = this.#parts.run;
    // Only what it has is written: a key that it lacks may be one that another hook wrote meanwhile.
    if (state?.metadata !== undefined && state.metadata !== metadata) Object.assign(metadata, state.metadata);
  }
}

/** What hooks add for the model, marked as not being the user's words. */
export function contextText(context: readonly string[]): string {
  return `<hook_context>\n${context.join("\n")}\n</hook_context>`;
}
