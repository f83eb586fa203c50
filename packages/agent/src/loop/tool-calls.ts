import { type Message, ToolFailure } from "@tenterhook/protocol";
import { isRecord, linkedController } from "@tenterhook/protocol/support";
import type { ModelToolCall } from "../model/model.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { toError } from "./recovery.ts";
import type { RunScope } from "./run-scope.ts";
import type { RunStopped } from "./run-stopped.ts";
import { ToolCall, type ToolEnd } from "./tool-call.ts";
import { deniedOutput, errorOutput, failedResult, resultOutput, type ToolOutput } from "./tool-output.ts";

/**
 * Carries out the tool calls of one step. They are judged one after another, in the model's order, so that a person is
 * asked one question at a time; those that may run do so side by side, unless the agent wants one at a time. When one
 * stops the run, those behind it are not judged any more, and those that run are aborted.
 */
export async function callTools(
  run: RunScope,
  settings: LoopSettings,
  toolbox: Toolbox,
  calls: readonly ModelToolCall[],
  messages: readonly Message[],
): Promise<readonly ToolEnd[]> {
  const { workDir, sessionId, runId } = run.identity;
  const { controller: batch, release } = linkedController(run.signal);
  let stopped: RunStopped | undefined;

  const carryOut = async (
    call: ModelToolCall,
    mayBeJudged: Promise<void>,
    judged: () => void,
  ): Promise<ToolEnd> => {
    await mayBeJudged;
    if (stopped !== undefined) {
      judged();
      return notRun(call, stopped);
    }
    const context = { toolCallId: call.id, messages, workDir, sessionId, runId };
    const whenJudged = settings.parallelTools ? judged : () => undefined;
    const end = await new ToolCall(run, settings, toolbox, call, context, batch.signal).run(whenJudged);
    if (end.stopped !== undefined) {
      stopped ??= end.stopped;
      batch.abort(end.stopped);
    }
    judged();
    return end;
  };

  try {
    let before: Promise<void> = Promise.resolve();
    const ends: Promise<ToolEnd>[] = [];
    for (const call of calls) {
      let judged = () => {};
      const mayBeJudged = before;
      before = new Promise((resolve) => {
        judged = resolve;
      });
      ends.push(carryOut(call, mayBeJudged, judged));
    }
    return await Promise.all(ends);
  } finally {
    release();
  }
}

/**
 * Tells hooks of a call that the provider carried out itself. It cannot be undone; but what hooks make of its result is
 * what the conversation keeps, and with it what the model reads from then on.
 */
export async function tellExecuted(run: RunScope, call: ModelToolCall, history: History): Promise<ToolEnd> {
  const { id: toolUseId, name: toolName, input, executed } = call;
  const fields = {
    toolName,
    toolUseId,
    toolInput: isRecord(input) ? input : {},
    context: { providerExecuted: true, beforeToolFired: false },
  };
  const end = (status: ToolEnd["status"], result: ToolEnd["result"], context: readonly string[]): ToolEnd => {
    const told = result.success ? { result: result.result } : { reason: result.error ?? "" };
    run.emit({ type: "tool_end", step: run.step, toolUseId, toolName, status, durationMs: 0, ...told });
    return { call, status, output: undefined, result, context, isRejected: false };
  };
  const failed = (error: Error, context: readonly string[], isChanged: boolean): ToolEnd => {
    if (isChanged) keep(history, toolUseId, errorOutput(error));
    return end("failed", failedResult(error), context);
  };
  if (executed?.isError === true) {
    const error = toError(executed.result);
    const after = await run.tell("after_tool_failure", { ...fields, error, status: "failed" });
    if (after.outcome.type === "recover") {
      keep(history, toolUseId, resultOutput(after.result));
      return end("completed", { success: true, result: after.result }, after.context);
    }
    const { toolResult } = after.payload;
    return failed(ToolFailure.of(toolResult, error), after.context, toolResult !== undefined);
  }
  const after = await run.tell("after_tool", {
    ...fields,
    toolResult: executed?.result,
    status: "completed",
  });
  if (after.action === "refuse") {
    const why = `The result was withheld: ${after.reason}`;
    keep(history, toolUseId, errorOutput(why));
    return end("blocked", { success: false, error: why }, after.context);
  }
  const { toolResult } = after.payload;
  if (ToolFailure.isInstance(toolResult)) return failed(toolResult, after.context, true);
  if (toolResult !== executed?.result) keep(history, toolUseId, resultOutput(toolResult));
  return end("completed", { success: true, result: toolResult }, after.context);
}

/** Puts another result in place of one that stands in the model's answer. */
function keep(history: History, toolCallId: string, output: ToolOutput): void {
  const replaced = history.messages.map((message) => {
    if (message.role !== "assistant" || !Array.isArray(message.content)) return message;
    const parts = message.content as readonly { readonly type: string; readonly toolCallId?: string }[];
    const isThere = parts.some((part) => part.type === "tool-result" && part.toolCallId === toolCallId);
    if (!isThere) return message;
    const changed = parts.map((part) =>
      part.type === "tool-result" && part.toolCallId === toolCallId ? { ...part, output } : part,
    );
    return { ...message, content: changed };
  });
  history.replace(replaced);
}

function notRun(call: ModelToolCall, stopped: RunStopped): ToolEnd {
  const why = `it was not run, because the run was stopped: ${stopped.message}`;
  const result = { success: false, error: why };
  return { call, status: "blocked", output: deniedOutput(why), result, context: [], isRejected: false };
}
