import { TenterhookError } from "@tenterhook/protocol";
import type { ApprovalDecision } from "../answer/approval.ts";
import { callTool, type ToolEnd } from "./call-tool.ts";
import type { ToolCall } from "./evaluate-tool.ts";
import type { HookedRun } from "./hooked-run.ts";

/** What the hooks before a tool decide: it is executed with this input, or the call has ended. */
export type CallBeginning = { readonly type: "execute"; readonly input: unknown } | ToolEnd;

/** What a tool gave or threw. */
export type ToolOutcome = { readonly value: unknown } | { readonly error: unknown };

export interface OpenCallForm {
  /** The decision of a person who was asked before. */
  readonly decision?: ApprovalDecision | undefined;
  /** What is done between the hooks and the tool; returns the tool's input. What it throws refuses or fails the call. */
  prepare?(input: unknown): unknown;
}

/**
 * A tool call whose tool the framework executes, between two of its callbacks: the hooks before the tool are called by `begin`, and those
 * after it by `settle`. For the hooks it is one call, with wrappers around it.
 */
export class OpenCall {
  readonly #run: HookedRun;
  readonly #call: ToolCall;
  readonly #form: OpenCallForm;
  readonly #outcome: Promise<unknown>;
  #settle: (outcome: ToolOutcome) => void = () => {};
  #end: Promise<ToolEnd> | undefined;
  #isHandedOver = false;
  /** What the tool threw. */
  #failure: unknown;
  #executeAgain: ((input: unknown) => unknown) | undefined;
  /** Whether the tool waits for something outside: it is executed again later, as another call. */
  isSuspended = false;
  isSettled = false;

  constructor(run: HookedRun, call: ToolCall, form: OpenCallForm = {}) {
    this.#run = run;
    this.#call = call;
    this.#form = form;
    this.#outcome = new Promise((resolve, reject) => {
      this.#settle = (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(outcome.value));
    });
    // A wrapper may leave it, and an abort does.
    this.#outcome.catch(() => undefined);
  }

  /** Calls the hooks before the tool. */
  begin(): Promise<CallBeginning> {
    return new Promise((resolve, reject) => {
      this.#end = callTool(this.#run, this.#call, {
        decision: this.#form.decision,
        isPause: (error) => error instanceof Suspension,
        execute: (input) => (this.#isHandedOver ? this.#repeat(input) : this.#handOver(input, resolve)),
      });
      this.#end.then(resolve, reject);
    });
  }

  async #handOver(input: unknown, begin: (beginning: CallBeginning) => void): Promise<unknown> {
    const prepared = this.#form.prepare === undefined ? input : await this.#form.prepare(input);
    this.#isHandedOver = true;
    begin({ type: "execute", input: prepared });
    return this.#outcome;
  }

  /** A wrapper has called `next` again. */
  async #repeat(input: unknown): Promise<unknown> {
    this.#checkSuspension();
    if (this.#executeAgain === undefined) {
      const problem = `a wrapper called next() again, but ${this.#run.details.support.name} executes this call of "${this.#call.toolName}" only once.`;
      const hint = "Return or throw what the first next() gave.";
      const cause = this.#failure;
      throw new TenterhookError("unsupported_hook", problem, { event: "around_tool", hint, cause });
    }
    const result = await this.#executeAgain(input);
    this.#checkSuspension();
    return result;
  }

  #checkSuspension(): void {
    if (this.isSuspended) throw new Suspension();
  }

  /**
   * Calls the hooks after the tool. `executeAgain` executes the tool once more for a wrapper that calls `next` again; without it that
   * `next` rejects. Returns `undefined` if the tool has suspended the call.
   */
  async settle(
    outcome: ToolOutcome,
    executeAgain?: (input: unknown) => unknown,
  ): Promise<ToolEnd | undefined> {
    this.isSettled = true;
    this.#executeAgain = executeAgain;
    this.#failure = "error" in outcome ? outcome.error : undefined;
    this.#settle(this.isSuspended ? { error: new Suspension() } : outcome);
    try {
      const end = await this.#end;
      // Also if a wrapper gave a result of its own.
      return this.isSuspended ? undefined : end;
    } catch (error) {
      if (error instanceof Suspension) return undefined;
      throw error;
    }
  }
}

class Suspension extends Error {}
