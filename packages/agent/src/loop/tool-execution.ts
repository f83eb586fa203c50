import { snapshot } from "@tenterhook/engine/host";
import { checkJson, isCyclic, isInstanceOf, isRecord } from "@tenterhook/internal";
import { type Payload, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model/model.ts";
import type { ToolStatus } from "../run/agent-event.ts";
import { type OperationFacts, withSpans } from "../run/agent-instrument.ts";
import { offerToErrorHooks, toError } from "../run/recovery.ts";
import type { RunContext } from "../run/run-context.ts";
import { RunStopped } from "../run/run-stopped.ts";
import { executeTool } from "../tools/execute-tool.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { type Evaluation, evaluateToolCall } from "./evaluate-tool-call.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { deniedOutput, errorOutput, failedResult, resultOutput } from "./tool-output.ts";

/** How a tool call ended. */
export interface ToolCallEnd {
  readonly call: ModelToolCall;
  /** The input that was executed: the model's, as hooks changed it. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: ToolStatus;
  /** What the model reads. */
  readonly output: unknown;
  /** The result for `after_step`. */
  readonly result: { readonly success: boolean; readonly result?: unknown; readonly error?: string };
  /** Context that hooks added for the model. */
  readonly context: readonly string[];
  readonly isRejected: boolean;
  /** Set when the run was stopped during the call. */
  readonly stopped?: RunStopped;
}

/** One tool call, from the model's request to the output that the model reads. */
export class ToolExecution {
  readonly #run: RunContext;
  readonly #settings: LoopSettings;
  readonly #toolbox: Toolbox;
  readonly #call: ModelToolCall;
  readonly #context: Omit<ToolCallContext, "abortSignal">;
  /** Aborted when the run is, or when another call of the same step stopped it. */
  readonly #signal: AbortSignal;
  readonly #addedContext: string[] = [];
  readonly #startedAt = performance.now();
  #input: Record<string, unknown>;
  /** Whether `before_tool` was fired. */
  #firedBeforeTool = false;
  #isStarted = false;
  /** Whether an after-event was fired. */
  #firedAfterTool = false;

  constructor(
    run: RunContext,
    settings: LoopSettings,
    toolbox: Toolbox,
    call: ModelToolCall,
    context: Omit<ToolCallContext, "abortSignal">,
    signal: AbortSignal,
  ) {
    this.#run = run;
    this.#settings = settings;
    this.#toolbox = toolbox;
    this.#call = call;
    this.#context = context;
    this.#signal = signal;
    this.#input = requestedInput(call);
  }

  /** Runs the call with its hooks. It never rejects; `evaluated` is called when it has been decided whether the tool runs. */
  run(evaluated: () => void): Promise<ToolCallEnd> {
    const { id: toolUseId, name: toolName } = this.#call;
    const description = this.#toolbox.get(toolName)?.definition.description;
    const operation = () =>
      ({ type: "execute_tool", toolName, toolUseId, description, toolInput: this.#input }) as const;
    return withSpans(this.#run.resources.instruments, operation, async (record) => {
      const end = await this.#evaluateAndRun(evaluated, record);
      const { status, result } = end;
      record({ input: this.#input, outcome: status, ...(result.success && { output: result.result }) });
      const durationMs = this.#durationMs;
      const outcome = result.success ? { result: result.result } : { reason: result.error ?? "" };
      this.#run.emit({
        type: "tool_end",
        step: this.#run.step,
        toolUseId,
        toolName,
        status,
        ...outcome,
        ...(!this.#isStarted && { toolInput: this.#input }),
        durationMs,
      });
      return end;
    });
  }

  async #evaluateAndRun(done: () => void, record: (facts: OperationFacts) => void): Promise<ToolCallEnd> {
    let evaluation: Evaluation;
    try {
      const context = { ...this.#context, abortSignal: this.#signal };
      evaluation = await evaluateToolCall(this.#run, this.#toolbox, this.#call, context, () => {
        this.#firedBeforeTool = true;
      });
    } catch (error) {
      record({ error: toError(error) });
      if (isInstanceOf(error, RunStopped)) return this.#endByError(error);
      evaluation = { type: "invalid", error: toError(error) };
    }
    done();
    try {
      switch (evaluation.type) {
        case "invalid":
          record({ error: evaluation.error });
          return await this.#failed(evaluation.error);
        case "blocked":
          return await this.#blocked(evaluation.reason, evaluation.isRejected);
        case "skip":
          this.#applyEvaluation(evaluation);
          // A hook may skip a call with a failure, which is handled like any failure.
          if (ToolFailure.isInstance(evaluation.result)) return await this.#failed(evaluation.result);
          return await this.#succeeded("skipped", evaluation.result, undefined);
        case "run":
          this.#applyEvaluation(evaluation);
          return await this.#runTool(evaluation, record);
      }
    } catch (error) {
      record({ error: toError(error) });
      return this.#endByError(error);
    }
  }

  #applyEvaluation({ payload, context }: Evaluation & { type: "run" | "skip" }): void {
    this.#input = payload.toolInput;
    this.#addedContext.push(...context);
  }

  async #runTool(
    evaluation: Evaluation & { type: "run" },
    record: (facts: OperationFacts) => void,
  ): Promise<ToolCallEnd> {
    const { tool, payload, input } = evaluation;
    const { id: toolUseId, name: toolName } = this.#call;
    const run = this.#run;
    this.#isStarted = true;
    run.emit({ type: "tool_start", step: run.step, toolUseId, toolName, toolInput: this.#input });
    const execute = (signal: AbortSignal) => {
      if (tool.execute === undefined)
        throw new TenterhookError("tool_failed", `the tool "${toolName}" cannot be run here.`);
      return tool.execute(input, { ...this.#context, abortSignal: signal }, run);
    };
    let result: unknown;
    try {
      const timeoutMs = tool.timeoutMs ?? this.#settings.toolTimeoutMs;
      const operation = () => executeTool(toolName, execute, { signal: this.#signal, timeoutMs });
      result = await run.hooks.call("around_tool", payload, operation, run.options);
    } catch (error) {
      if (isInstanceOf(error, RunStopped)) throw error;
      if (isInstanceOf(error, TenterhookError) && error.code === "tool_blocked")
        return this.#blocked(error.message, false);
      record({ error: toError(error) });
      return this.#failed(toError(error));
    }
    try {
      checkJson(result, `the result of ${toolName}`);
    } catch (error) {
      // A cyclic result comes from code, not from a model; it is shown as text.
      if (!isCyclic(error)) return this.#failed(toError(error));
    }
    const toModelOutput = tool.toModelOutput;
    return this.#succeeded(
      "completed",
      // A copy: the tool may keep what it returned.
      snapshot(result, (part) => isInstanceOf(part, Error)),
      toModelOutput === undefined ? undefined : (value) => toModelOutput(value, input, toolUseId),
    );
  }

  async #succeeded(
    status: "completed" | "skipped",
    toolResult: unknown,
    toModelOutput: ((result: unknown) => unknown) | undefined,
  ): Promise<ToolCallEnd> {
    this.#firedAfterTool = true;
    const after = await this.#run.fireAfter("after_tool", {
      ...this.#fields,
      toolResult,
      durationMs: this.#durationMs,
      status,
    });
    this.#addedContext.push(...after.context);
    if (after.action === "refuse") {
      const reason = `The result was withheld: ${after.reason}`;
      return this.#end("blocked", errorOutput(reason), { success: false, error: reason });
    }
    const result = after.payload.toolResult;
    if (ToolFailure.isInstance(result)) return this.#offerFailure(result);
    const output = toModelOutput === undefined ? resultOutput(result) : await toModelOutput(result);
    return this.#end(status, output, { success: true, result });
  }

  async #blocked(reason: string, isRejected: boolean): Promise<ToolCallEnd> {
    const error = new TenterhookError("tool_blocked", reason);
    const after = await this.#fireFailure(error, "blocked");
    const { message } = ToolFailure.of(after.payload.toolResult, error);
    return { ...this.#end("blocked", deniedOutput(message), { success: false, error: message }), isRejected };
  }

  async #failed(error: Error): Promise<ToolCallEnd> {
    const after = await this.#fireFailure(error, "failed");
    if (after.outcome.type === "recover") return this.#recovered(after.result);
    return this.#offerFailure(ToolFailure.of(after.payload.toolResult, error));
  }

  /** Offers a failure that the after-event did not recover to `on_error`, as hooks changed it. */
  async #offerFailure(error: Error): Promise<ToolCallEnd> {
    let remaining = error;
    // A call that was aborted with the run is not an error to recover from.
    if (!this.#signal.aborted) {
      const recovery = await offerToErrorHooks(this.#run, error, {
        phase: "tool",
        toolName: this.#call.name,
        toolInput: this.#input,
      });
      if (recovery.type === "recovered") return this.#recovered(recovery.result);
      if (recovery.type === "suppressed") return this.#recovered(undefined);
      remaining = recovery.error;
    }
    this.#run.checkAborted();
    return this.#end("failed", errorOutput(remaining), failedResult(remaining));
  }

  #recovered(result: unknown): ToolCallEnd {
    if (ToolFailure.isInstance(result)) return this.#end("failed", errorOutput(result), failedResult(result));
    return this.#end("completed", resultOutput(result), { success: true, result });
  }

  async #fireFailure(error: Error, status: "failed" | "blocked") {
    this.#firedAfterTool = true;
    const fields = { ...this.#fields, error, durationMs: this.#durationMs, status };
    const after = await this.#run.fireAfter("after_tool_failure", fields);
    this.#addedContext.push(...after.context);
    return after;
  }

  /** Ends a call that threw. If the run was stopped, the after-event still fires, once, and the call gets a result. */
  async #endByError(thrown: unknown): Promise<ToolCallEnd> {
    if (!isInstanceOf(thrown, RunStopped)) {
      const { message } = toError(thrown);
      return this.#end("failed", errorOutput(message), { success: false, error: message });
    }
    const reason = `the run was stopped: ${thrown.message}`;
    if (!this.#firedAfterTool) {
      const error = new TenterhookError("tool_blocked", reason);
      const fields = { ...this.#fields, error, durationMs: this.#durationMs, status: "blocked" } as const;
      await this.#run.fireLast("after_tool_failure", fields);
    }
    const end = this.#end("blocked", deniedOutput(reason), { success: false, error: reason });
    return { ...end, stopped: thrown };
  }

  get #fields(): Pick<Payload<"before_tool">, "toolName" | "toolInput" | "toolUseId" | "context"> {
    const fields = { toolName: this.#call.name, toolInput: this.#input, toolUseId: this.#call.id };
    return this.#firedBeforeTool ? fields : { ...fields, context: { beforeToolFired: false } };
  }

  get #durationMs(): number {
    return performance.now() - this.#startedAt;
  }

  #end(status: ToolStatus, output: unknown, result: ToolCallEnd["result"]): ToolCallEnd {
    const context = this.#addedContext;
    return { call: this.#call, input: this.#input, status, output, result, context, isRejected: false };
  }
}

const NO_INPUT: Record<string, unknown> = Object.freeze({});

/** The input that the model wrote; an empty one where it wrote something else than an object. */
export function requestedInput({ input }: ModelToolCall): Record<string, unknown> {
  return isRecord(input) ? input : NO_INPUT;
}
