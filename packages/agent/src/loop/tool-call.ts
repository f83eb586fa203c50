import type { Payload } from "@tenterhook/protocol";
import { checkJson, isRing, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import type { ModelToolCall } from "../model/model.ts";
import { type OperationFacts, withSpans } from "../telemetry/agent-instrument.ts";
import { executeTool } from "../tools/execute-tool.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { recover, toError } from "./recovery.ts";
import type { ToolStatus } from "./run-event.ts";
import type { RunScope } from "./run-scope.ts";
import { RunStopped } from "./run-stopped.ts";
import { type Judgement, judgeTool } from "./tool-judgement.ts";
import { deniedOutput, errorOutput, failedResult, resultOutput } from "./tool-output.ts";

/** How a tool call ended. */
export interface ToolEnd {
  readonly call: ModelToolCall;
  readonly status: ToolStatus;
  /** What the model reads. */
  readonly output: unknown;
  /** What came of it, for the step's record. */
  readonly result: { readonly success: boolean; readonly result?: unknown; readonly error?: string };
  /** What hooks added for the model. */
  readonly context: readonly string[];
  readonly isRejected: boolean;
  /** The run was stopped on the way. */
  readonly stopped?: RunStopped;
}

/** One call of a tool, from the model's wish to what the model is told. */
export class ToolCall {
  readonly #run: RunScope;
  readonly #settings: LoopSettings;
  readonly #toolbox: Toolbox;
  readonly #call: ModelToolCall;
  readonly #context: Omit<ToolCallContext, "abortSignal">;
  /** Aborted when the run is, or when another call of the same step stopped it. */
  readonly #signal: AbortSignal;
  readonly #added: string[] = [];
  readonly #startedAt = performance.now();
  #input: Record<string, unknown>;
  /** Whether `before_tool` was fired. */
  #wasAsked = false;
  #isStarted = false;
  /** Whether the hooks have been told how it ended. */
  #isTold = false;

  constructor(
    run: RunScope,
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
    this.#input = isRecord(call.input) ? call.input : {};
  }

  /** Carries the call through its hooks. It never rejects; `judged` is called when it has been decided whether it runs. */
  run(judged: () => void): Promise<ToolEnd> {
    const { id: toolUseId, name: toolName } = this.#call;
    const description = this.#toolbox.get(toolName)?.definition.description;
    const operation = () =>
      ({ type: "execute_tool", toolName, toolUseId, description, toolInput: this.#input }) as const;
    return withSpans(this.#run.shares.instruments, operation, async (note) => {
      const end = await this.#through(judged, note);
      const { status, result } = end;
      note({ input: this.#input, outcome: status, ...(result.success && { output: result.result }) });
      const durationMs = this.#durationMs;
      const told = result.success ? { result: result.result } : { reason: result.error ?? "" };
      this.#run.emit({
        type: "tool_end",
        step: this.#run.step,
        toolUseId,
        toolName,
        status,
        ...told,
        ...(!this.#isStarted && { toolInput: this.#input }),
        durationMs,
      });
      return end;
    });
  }

  async #through(judged: () => void, note: (facts: OperationFacts) => void): Promise<ToolEnd> {
    let judgement: Judgement;
    try {
      const context = { ...this.#context, abortSignal: this.#signal };
      judgement = await judgeTool(this.#run, this.#toolbox, this.#call, context, () => {
        this.#wasAsked = true;
      });
    } catch (error) {
      note({ error: toError(error) });
      if (error instanceof RunStopped) return this.#unwound(error);
      judgement = { type: "invalid", error: toError(error) };
    }
    judged();
    try {
      switch (judgement.type) {
        case "invalid":
          note({ error: judgement.error });
          return await this.#failed(judgement.error);
        case "blocked":
          return await this.#blocked(judgement.reason, judgement.isRejected);
        case "skip":
          this.#takeOver(judgement);
          // A hook may skip a call with a failure, which is one like any other.
          if (ToolFailure.isInstance(judgement.result)) return await this.#failed(judgement.result);
          return await this.#succeeded("skipped", judgement.result, undefined);
        case "run":
          this.#takeOver(judgement);
          return await this.#carryOut(judgement, note);
      }
    } catch (error) {
      note({ error: toError(error) });
      return this.#unwound(error);
    }
  }

  #takeOver({ payload, context }: Judgement & { type: "run" | "skip" }): void {
    this.#input = payload.toolInput;
    this.#added.push(...context);
  }

  async #carryOut(
    judgement: Judgement & { type: "run" },
    note: (facts: OperationFacts) => void,
  ): Promise<ToolEnd> {
    const { tool, payload, input } = judgement;
    const { id: toolUseId, name: toolName } = this.#call;
    const run = this.#run;
    this.#isStarted = true;
    run.emit({ type: "tool_start", step: run.step, toolUseId, toolName, toolInput: this.#input });
    const work = (signal: AbortSignal) => {
      if (tool.execute === undefined)
        throw new TenterhookError("tool_failed", `the tool "${toolName}" cannot be run here.`);
      return tool.execute(input, { ...this.#context, abortSignal: signal }, run);
    };
    let result: unknown;
    try {
      const timeoutMs = tool.timeoutMs ?? this.#settings.toolTimeoutMs;
      const operation = () => executeTool(toolName, work, { signal: this.#signal, timeoutMs });
      result = await run.hooks.call("around_tool", payload, operation, run.options);
    } catch (error) {
      if (error instanceof RunStopped) throw error;
      if (error instanceof TenterhookError && error.code === "tool_blocked")
        return this.#blocked(error.message, false);
      note({ error: toError(error) });
      return this.#failed(toError(error));
    }
    try {
      checkJson(result, `the result of ${toolName}`);
    } catch (error) {
      // What contains itself is code's own making, and is shown as the text that it has.
      if (!isRing(error)) return this.#failed(toError(error));
    }
    const shown = tool.toModelOutput;
    return this.#succeeded(
      "completed",
      result,
      shown === undefined ? undefined : (value) => shown(value, input, toolUseId),
    );
  }

  async #succeeded(
    status: "completed" | "skipped",
    toolResult: unknown,
    toModelOutput: ((result: unknown) => unknown) | undefined,
  ): Promise<ToolEnd> {
    this.#isTold = true;
    const after = await this.#run.tell("after_tool", {
      ...this.#fields,
      toolResult,
      durationMs: this.#durationMs,
      status,
    });
    this.#added.push(...after.context);
    if (after.action === "refuse") {
      const why = `The result was withheld: ${after.reason}`;
      return this.#end("blocked", errorOutput(why), { success: false, error: why });
    }
    const result = after.payload.toolResult;
    if (ToolFailure.isInstance(result)) return this.#stands(result);
    const output = toModelOutput === undefined ? resultOutput(result) : await toModelOutput(result);
    return this.#end(status, output, { success: true, result });
  }

  async #blocked(reason: string, isRejected: boolean): Promise<ToolEnd> {
    const error = new TenterhookError("tool_blocked", reason);
    const after = await this.#tellFailure(error, "blocked");
    const { message } = ToolFailure.of(after.payload.toolResult, error);
    return { ...this.#end("blocked", deniedOutput(message), { success: false, error: message }), isRejected };
  }

  async #failed(error: Error): Promise<ToolEnd> {
    const after = await this.#tellFailure(error, "failed");
    if (after.outcome.type === "recover") return this.#recovered(after.result);
    return this.#stands(ToolFailure.of(after.payload.toolResult, error));
  }

  /** A failure that the after-event left standing goes to `on_error`, as hooks made it. */
  async #stands(error: Error): Promise<ToolEnd> {
    let left = error;
    // A call that was cut short because the run is over is no error to recover from.
    if (!this.#signal.aborted) {
      const recovery = await recover(this.#run, error, {
        phase: "tool",
        toolName: this.#call.name,
        toolInput: this.#input,
      });
      if (recovery.type === "recovered") return this.#recovered(recovery.result);
      if (recovery.type === "suppressed") return this.#recovered(undefined);
      left = recovery.error;
    }
    this.#run.checkAborted();
    return this.#end("failed", errorOutput(left), failedResult(left));
  }

  #recovered(result: unknown): ToolEnd {
    if (ToolFailure.isInstance(result)) return this.#end("failed", errorOutput(result), failedResult(result));
    return this.#end("completed", resultOutput(result), { success: true, result });
  }

  async #tellFailure(error: Error, status: "failed" | "blocked") {
    this.#isTold = true;
    const fields = { ...this.#fields, error, durationMs: this.#durationMs, status };
    const after = await this.#run.tell("after_tool_failure", fields);
    this.#added.push(...after.context);
    return after;
  }

  /** Hooks hear how the call ended, once, also while the run is being stopped; and the model's wish gets an answer. */
  async #unwound(thrown: unknown): Promise<ToolEnd> {
    if (!(thrown instanceof RunStopped)) {
      const { message } = toError(thrown);
      return this.#end("failed", errorOutput(message), { success: false, error: message });
    }
    const why = `the run was stopped: ${thrown.message}`;
    if (!this.#isTold) {
      const error = new TenterhookError("tool_blocked", why);
      const fields = { ...this.#fields, error, durationMs: this.#durationMs, status: "blocked" } as const;
      await this.#run.tellLast("after_tool_failure", fields);
    }
    const end = this.#end("blocked", deniedOutput(why), { success: false, error: why });
    return { ...end, stopped: thrown };
  }

  get #fields(): Pick<Payload<"before_tool">, "toolName" | "toolInput" | "toolUseId" | "context"> {
    const fields = { toolName: this.#call.name, toolInput: this.#input, toolUseId: this.#call.id };
    return this.#wasAsked ? fields : { ...fields, context: { beforeToolFired: false } };
  }

  get #durationMs(): number {
    return performance.now() - this.#startedAt;
  }

  #end(status: ToolStatus, output: unknown, result: ToolEnd["result"]): ToolEnd {
    return { call: this.#call, status, output, result, context: this.#added, isRejected: false };
  }
}
