import { performance } from "node:perf_hooks";
import { isInstanceOf, isRecord } from "@tenterhook/internal";
import { type Payload, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import type { Dispatch } from "../run/dispatch.ts";
import {
  evaluateTool,
  findInput,
  readInput,
  removeEvaluation,
  type ToolCall,
  type ToolChecks,
  withNames,
} from "./evaluate-tool.ts";
import type { Evaluation } from "./evaluation.ts";
import type { HookedRun } from "./hooked-run.ts";
import { orStopped } from "./or-stopped.ts";
import { offerToErrorHooks } from "./recovery.ts";
import { hasWrappers } from "./registered-hooks.ts";
import { toError } from "./to-error.ts";
import { writableCopy } from "./writable-copy.ts";

/** How the framework executes a tool. */
export interface ToolForm extends ToolChecks {
  /**
   * Executes the tool; again if a wrapper calls `next` again. `input` is what the model wrote, the same object the first time, if no hook
   * changed it, else a copy of the tool's own, to which it may write. It may throw.
   */
  execute(input: unknown): unknown;
  /** Whether the framework pauses the run by what the tool threw: `callTool` rejects with it, and no event follows. */
  isPause?(error: unknown): boolean;
}

/** What the call ended with, for the model. `input` is the executed one, and `context` what hooks added for the model. */
export type ToolEnd = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly context: readonly string[];
} & (
  | { readonly type: "result"; readonly value: unknown; readonly status: "completed" | "skipped" }
  /** The model reads the reason. `isRejected`: a person refused it. */
  | { readonly type: "refused"; readonly reason: string; readonly isRejected: boolean }
  /** `shown` is what the model reads: a text, or a value that a hook gave. */
  | { readonly type: "failed"; readonly error: Error; readonly shown: unknown }
  /** The run ends; `reason` is for the model, `error` for the caller. */
  | { readonly type: "stopped"; readonly error: Error; readonly reason: string }
);

/**
 * Calls a tool with its hooks: `before_tool`, `around_tool`, `after_tool` or `after_tool_failure`, `on_error`. It rejects only with a pause.
 * A stop is also stored in the run.
 */
export function callTool(run: HookedRun, call: ToolCall, form: ToolForm): Promise<ToolEnd> {
  return new HookedCall(run, call, form).run();
}

class HookedCall {
  readonly #run: HookedRun;
  readonly #call: ToolCall;
  readonly #form: ToolForm;
  readonly #startedAt = performance.now();
  readonly #context: string[] = [];
  /** What hooks were asked about first. */
  #originalInput: Record<string, unknown>;
  #input: Record<string, unknown>;
  #isStarted = false;
  #firedBeforeTool = false;
  #firedAfterTool = false;

  constructor(run: HookedRun, call: ToolCall, form: ToolForm) {
    this.#run = run;
    this.#call = call;
    this.#form = form;
    this.#originalInput = findInput(run, call) ?? readInput(call.toolInput);
    this.#input = this.#originalInput;
  }

  async run(): Promise<ToolEnd> {
    let end: ToolEnd;
    try {
      // What has no promise is not awaited: quiet hooks must not delay the tool.
      const evaluating = this.#evaluate();
      const evaluation = evaluating instanceof Promise ? await evaluating : evaluating;
      let ending: ToolEnd | Promise<ToolEnd> | undefined;
      if (evaluation.type === "run") {
        this.#accept(evaluation);
        let result: unknown;
        // Not an async function of its own, which would delay every tool.
        try {
          result = await this.#execute(evaluation.payload);
        } catch (error) {
          if (this.#form.isPause?.(error) === true) throw error;
          ending = this.#endExecution(error);
        }
        ending ??= this.#succeeded("completed", result);
      } else ending = this.#apply(evaluation);
      end = ending instanceof Promise ? await ending : ending;
    } catch (error) {
      if (this.#form.isPause?.(error) === true) throw error;
      end = await this.#endByError(error);
    }
    const { toolUseId: id, toolName: name } = this.#call;
    const result =
      end.type === "result"
        ? { success: true, result: end.value }
        : { success: false, error: end.type === "failed" ? end.error.message : end.reason };
    this.#run.steps.recordCall({ id, name, input: end.input, result });
    return end;
  }

  #evaluate(): Evaluation | Promise<Evaluation> {
    const stored = removeEvaluation(this.#run, withNames({ toolInput: this.#originalInput }, this.#call));
    if (stored !== undefined) {
      this.#firedBeforeTool = true;
      this.#originalInput = stored.input;
      // Without the lock: to wait for it again would start the calls in another order.
      if (stored.evaluation !== undefined) return stored.evaluation;
    }
    const { evaluations } = this.#run;
    const unlock = evaluations.tryLock();
    return unlock === undefined
      ? evaluations.lock().then((unlockLater) => this.#evaluateAlone(unlockLater))
      : this.#evaluateAlone(unlock);
  }

  #evaluateAlone(unlock: () => void): Evaluation | Promise<Evaluation> {
    const run = this.#run;
    let evaluating: Promise<Evaluation> | undefined;
    try {
      run.checkStopped();
      this.#firedBeforeTool = true;
      const call = withNames({ toolInput: this.#originalInput }, this.#call);
      const evaluation = evaluateTool(run, call, this.#form);
      if (!(evaluation instanceof Promise)) return evaluation;
      evaluating = evaluation.finally(unlock);
      return evaluating;
    } finally {
      if (evaluating === undefined) unlock();
    }
  }

  #accept({ payload, context }: Exclude<Evaluation, { readonly type: "refused" }>): void {
    this.#input = payload.toolInput;
    if (context.length > 0) this.#context.push(...context);
  }

  /** Ends a call that hooks refused or answered. */
  #apply(evaluation: Exclude<Evaluation, { readonly type: "run" }>): ToolEnd | Promise<ToolEnd> {
    if (evaluation.type === "refused") return this.#refused(evaluation.reason, evaluation.isRejected);
    this.#accept(evaluation);
    // A hook may skip a call with a failure, which is handled like any failure.
    if (ToolFailure.isInstance(evaluation.result)) return this.#failed(evaluation.result);
    return this.#succeeded("skipped", evaluation.result);
  }

  /** Executes the tool inside the wrappers. It may throw. */
  #execute(payload: Payload<"before_tool">): unknown {
    const run = this.#run;
    if (!hasWrappers(run.hooks, "around_tool")) return this.#start();
    return run.hooks.call("around_tool", payload, () => this.#start(), run.dispatchOptions);
  }

  #start(): unknown {
    const run = this.#run;
    run.checkStopped();
    // The framework's own object, unless hooks changed it: it may be an instance of a class, or have been parsed by a schema. A tool may
    // write to its input, so that it gets another one each time.
    const isUnchanged = this.#input === this.#originalInput;
    const { toolInput } = this.#call;
    const isOwn = isUnchanged && !(this.#isStarted && isRecord(toolInput));
    const input = isOwn ? toolInput : writableCopy(this.#input);
    this.#isStarted = true;
    const value = this.#form.execute(input);
    return isInstanceOf(value, Promise) ? orStopped(value, run) : value;
  }

  /** Ends a call whose tool, or a wrapper of it, threw. */
  #endExecution(error: unknown): Promise<ToolEnd> {
    // A tool that was interrupted has failed; one that was not started was refused.
    if (!this.#isStarted) this.#run.checkStopped();
    return TenterhookError.isInstance(error) && error.code === "tool_blocked"
      ? this.#refused(error.message, false)
      : this.#failed(toError(error));
  }

  #succeeded(status: "completed" | "skipped", value: unknown): ToolEnd | Promise<ToolEnd> {
    this.#firedAfterTool = true;
    // A copy: the tool may keep what it returned.
    const toolResult = snapshot(value, (part) => isInstanceOf(part, Error));
    const durationMs = this.#durationMs;
    const toolInput = this.#input;
    const fields = withNames({ toolInput, toolResult, durationMs, status }, this.#call);
    const firing = this.#run.fireAfter("after_tool", fields);
    const accept = (after: Dispatch<"after_tool">): ToolEnd | Promise<ToolEnd> => {
      if (after.context.length > 0) this.#context.push(...after.context);
      if (after.action === "refuse")
        return this.#end({
          type: "refused",
          reason: `The result was withheld: ${after.reason}`,
          isRejected: false,
        });
      const changed = after.payload.toolResult;
      if (ToolFailure.isInstance(changed)) return this.#offerFailure(changed);
      return this.#end({ type: "result", value: changed === toolResult ? value : changed, status });
    };
    return firing instanceof Promise ? firing.then(accept) : accept(firing);
  }

  async #refused(reason: string, isRejected: boolean): Promise<ToolEnd> {
    const error = new TenterhookError("tool_blocked", reason);
    const after = await this.#fireFailure(error, "blocked");
    const { message } = ToolFailure.of(after.payload.toolResult, error);
    return this.#end({ type: "refused", reason: message, isRejected });
  }

  async #failed(error: Error): Promise<ToolEnd> {
    const after = await this.#fireFailure(error, "failed");
    if (after.outcome.type === "recover") return this.#recovered(after.result);
    return this.#offerFailure(ToolFailure.of(after.payload.toolResult, error));
  }

  /** Offers a failure that the after-event did not recover to `on_error`, as hooks changed it. */
  async #offerFailure(error: Error): Promise<ToolEnd> {
    const run = this.#run;
    run.checkStopped();
    const { toolName } = this.#call;
    const recovery = await offerToErrorHooks(run, error, { phase: "tool", toolName, toolInput: this.#input });
    if (recovery.type === "recovered") return this.#recovered(recovery.result);
    if (recovery.type === "suppressed") return this.#recovered(undefined);
    return this.#failure(recovery.error);
  }

  #recovered(value: unknown): ToolEnd {
    if (ToolFailure.isInstance(value)) return this.#failure(value);
    return this.#end({ type: "result", value, status: "completed" });
  }

  #failure(error: Error): ToolEnd {
    const shown = ToolFailure.isInstance(error) ? error.shown : error.message;
    return this.#end({ type: "failed", error, shown });
  }

  async #fireFailure(error: Error, status: "failed" | "blocked") {
    this.#firedAfterTool = true;
    const fields = withNames(
      { toolInput: this.#input, error, durationMs: this.#durationMs, status },
      this.#call,
    );
    const after = await this.#run.fireAfter("after_tool_failure", fields);
    this.#context.push(...after.context);
    return after;
  }

  /** Ends a call that threw. If the run was stopped, the after-event still fires, once. */
  async #endByError(thrown: unknown): Promise<ToolEnd> {
    const run = this.#run;
    const { stopped } = run;
    if (stopped === undefined) return this.#failure(toError(thrown));
    const reason = `the run was stopped: ${run.stopReason}`;
    if (this.#firedBeforeTool && !this.#firedAfterTool) {
      const error = new TenterhookError("tool_blocked", reason);
      const durationMs = this.#durationMs;
      const status = "blocked" as const;
      const fields = withNames({ toolInput: this.#input, error, durationMs, status }, this.#call);
      await run.fireLast("after_tool_failure", fields);
    }
    return this.#end({ type: "stopped", error: stopped, reason });
  }

  get #durationMs(): number {
    return performance.now() - this.#startedAt;
  }

  #end<T extends object>(end: T): T & Pick<ToolEnd, "input" | "context"> {
    return Object.assign(end, { input: this.#input, context: this.#context });
  }
}
