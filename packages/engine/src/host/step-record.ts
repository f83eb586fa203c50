import { isInstanceOf } from "@tenterhook/internal";
import type { Payload, ToolUse } from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";

/** A tool call that has ended, as `after_step` lists it. */
export interface EndedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: { readonly success: boolean; readonly result?: unknown; readonly error?: string };
}

const NO_CALLS: readonly ToolUse[] = snapshot([]);

/** What happened in the steps of a run, for the fields of its events. */
export class StepRecord {
  /** Steps started so far. */
  started = 0;
  /** Steps that have ended without failing. */
  completed = 0;
  /** The latest answer of the model. */
  text = "";
  /** The latest step that the model has answered. */
  current: NonNullable<Payload<"after_step">["step"]> | undefined;
  usage: { inputTokens: number; outputTokens: number } = { inputTokens: 0, outputTokens: 0 };
  /** Whether `before_step` was fired, and `after_step` was not yet. */
  isOpen = false;
  /** Whether the model has answered in the current step. */
  hasAnswer = false;
  #toolUses: readonly ToolUse[] = NO_CALLS;
  #calls: EndedCall[] = [];

  /** Begins a step; its index, from 0. */
  begin(): number {
    this.isOpen = true;
    this.hasAnswer = false;
    this.#toolUses = NO_CALLS;
    this.#calls = [];
    return this.started++;
  }

  recordAnswer(text: string, toolUses: readonly ToolUse[]): void {
    this.hasAnswer = true;
    this.text = text;
    this.#toolUses = toolUses;
    this.current = this.record();
  }

  recordUsage(usage: Payload<"after_llm">["usage"]): void {
    if (usage === undefined) return;
    this.usage.inputTokens += usage.inputTokens;
    this.usage.outputTokens += usage.outputTokens;
  }

  /** Records a call that has ended; again if what the model reads of it turned out to be something else. */
  recordCall(call: EndedCall): void {
    const index = call.id === "" ? -1 : this.#calls.findIndex(({ id }) => id === call.id);
    if (index < 0) this.#calls.push(call);
    else this.#calls[index] = call;
  }

  record(): NonNullable<Payload<"after_step">["step"]> {
    return Object.freeze({
      index: Math.max(0, this.started - 1),
      text: this.hasAnswer ? this.text : "",
      // Mostly a copy already, which is not copied again.
      toolCalls: snapshot(this.#toolUses) as ToolUse[],
      hasErrors: this.#calls.some(({ result }) => !result.success),
    });
  }

  /** The fields of `after_step`. The calls are in the order of the model's answer, before those that the provider has executed. */
  end() {
    this.isOpen = false;
    const order = new Map(this.#toolUses.map(({ id }, index) => [id, index]));
    const find = ({ id }: EndedCall) => order.get(id) ?? order.size;
    const calls = [...this.#calls].sort((a, b) => find(a) - find(b));
    const completedWithText = this.hasAnswer && calls.length === 0 && this.text !== "";
    const step = this.record();
    if (this.hasAnswer) this.current = step;
    return {
      stepIndex: Math.max(0, this.started - 1),
      step,
      toolCalls:
        calls.length === 0 ? [] : (snapshot(calls, (part) => isInstanceOf(part, Error)) as EndedCall[]),
      completedWithText,
    };
  }
}
