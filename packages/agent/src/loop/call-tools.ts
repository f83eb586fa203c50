import { linkedController, Mutex } from "@tenterhook/internal";
import { type Message, ToolFailure } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model/model.ts";
import { toError } from "../run/recovery.ts";
import type { RunContext } from "../run/run-context.ts";
import type { RunStopped } from "../run/run-stopped.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { requestedInput, type ToolCallEnd, ToolExecution } from "./tool-execution.ts";
import { deniedOutput, errorOutput, failedResult, resultOutput, type ToolOutput } from "./tool-output.ts";

/**
 * Executes the tool calls of one step. They are evaluated one after another, in the model's order, so that a person gets one
 * question at a time; those that may run do so in parallel, unless `parallelTools` is false. When one stops the run, the
 * following ones are not evaluated, and the running ones are aborted.
 */
export async function callTools(
  run: RunContext,
  settings: LoopSettings,
  toolbox: Toolbox,
  calls: readonly ModelToolCall[],
  messages: readonly Message[],
): Promise<readonly ToolCallEnd[]> {
  const { workDir, sessionId, runId } = run.identity;
  const { controller: batch, release } = linkedController(run.signal);
  const evaluations = new Mutex();
  let stopped: RunStopped | undefined;

  const execute = async (call: ModelToolCall): Promise<ToolCallEnd> => {
    const unlock = await evaluations.lock();
    if (stopped !== undefined) {
      unlock();
      return notRun(call, stopped);
    }
    const context = { toolCallId: call.id, messages, workDir, sessionId, runId };
    const onEvaluated = settings.parallelTools ? unlock : () => undefined;
    const end = await new ToolExecution(run, settings, toolbox, call, context, batch.signal).run(onEvaluated);
    if (end.stopped !== undefined) {
      stopped ??= end.stopped;
      batch.abort(end.stopped);
    }
    unlock();
    return end;
  };

  try {
    return await Promise.all(calls.map(execute));
  } finally {
    release();
  }
}

/**
 * Fires the after-event of a call that the provider has executed. The call cannot be undone, but hooks may change its result in
 * the conversation, which the model reads from then on.
 */
export async function fireForExecutedCall(
  run: RunContext,
  call: ModelToolCall,
  history: History,
): Promise<ToolCallEnd> {
  const { id: toolUseId, name: toolName, executed } = call;
  const input = requestedInput(call);
  const fields = {
    toolName,
    toolUseId,
    toolInput: input,
    context: { providerExecuted: true, beforeToolFired: false },
  };
  const end = (
    status: ToolCallEnd["status"],
    result: ToolCallEnd["result"],
    context: readonly string[],
  ): ToolCallEnd => {
    const outcome = result.success ? { result: result.result } : { reason: result.error ?? "" };
    run.emit({ type: "tool_end", step: run.step, toolUseId, toolName, status, durationMs: 0, ...outcome });
    return { call, input, status, output: undefined, result, context, isRejected: false };
  };
  const failed = (error: Error, context: readonly string[], isChanged: boolean): ToolCallEnd => {
    if (isChanged) replaceResult(history, toolUseId, errorOutput(error));
    return end("failed", failedResult(error), context);
  };
  if (executed?.isError === true) {
    const error = toError(executed.result);
    const after = await run.fireAfter("after_tool_failure", { ...fields, error, status: "failed" });
    if (after.outcome.type === "recover") {
      replaceResult(history, toolUseId, resultOutput(after.result));
      return end("completed", { success: true, result: after.result }, after.context);
    }
    const { toolResult } = after.payload;
    return failed(ToolFailure.of(toolResult, error), after.context, toolResult !== undefined);
  }
  const after = await run.fireAfter("after_tool", {
    ...fields,
    toolResult: executed?.result,
    status: "completed",
  });
  if (after.action === "refuse") {
    const reason = `The result was withheld: ${after.reason}`;
    replaceResult(history, toolUseId, errorOutput(reason));
    return end("blocked", { success: false, error: reason }, after.context);
  }
  const { toolResult } = after.payload;
  if (ToolFailure.isInstance(toolResult)) return failed(toolResult, after.context, true);
  if (toolResult !== executed?.result) replaceResult(history, toolUseId, resultOutput(toolResult));
  return end("completed", { success: true, result: toolResult }, after.context);
}

/** Replaces a result inside the model's answer. */
function replaceResult(history: History, toolCallId: string, output: ToolOutput): void {
  const replaced = history.messages.map((message) => {
    if (message.role !== "assistant" || !Array.isArray(message.content)) return message;
    const parts = message.content as readonly { readonly type: string; readonly toolCallId?: string }[];
    const isPresent = parts.some((part) => part.type === "tool-result" && part.toolCallId === toolCallId);
    if (!isPresent) return message;
    const changed = parts.map((part) =>
      part.type === "tool-result" && part.toolCallId === toolCallId ? { ...part, output } : part,
    );
    return { ...message, content: changed };
  });
  history.replace(replaced);
}

function notRun(call: ModelToolCall, stopped: RunStopped): ToolCallEnd {
  const reason = `it was not run, because the run was stopped: ${stopped.message}`;
  return {
    call,
    input: requestedInput(call),
    status: "blocked",
    output: deniedOutput(reason),
    result: { success: false, error: reason },
    context: [],
    isRejected: false,
  };
}
