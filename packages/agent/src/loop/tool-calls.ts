import type { Message } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model/model.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { linkedController } from "./linked-controller.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { isRecord } from "./model-answer.ts";
import { toError } from "./recovery.ts";
import type { RunScope } from "./run-scope.ts";
import type { RunStopped } from "./run-stopped.ts";
import { ToolCall, type ToolEnd } from "./tool-call.ts";
import { deniedOutput } from "./tool-output.ts";

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

/** Tells hooks of a call that the provider carried out itself: there is nothing left to refuse, but it is to be seen. */
export async function tellExecuted(run: RunScope, call: ModelToolCall): Promise<ToolEnd> {
  const { id: toolUseId, name: toolName, input, executed } = call;
  const fields = {
    toolName,
    toolUseId,
    toolInput: isRecord(input) ? input : {},
    context: { providerExecuted: true },
  };
  const context =
    executed?.isError === true
      ? await run.tell("after_tool_failure", { ...fields, error: toError(executed.result), status: "failed" })
      : await run.tell("after_tool", { ...fields, toolResult: executed?.result, status: "completed" });
  const why = executed?.isError === true ? toError(executed.result).message : undefined;
  const result =
    why === undefined ? { success: true, result: executed?.result } : { success: false, error: why };
  const status = why === undefined ? "completed" : "failed";
  const told = why === undefined ? { result: executed?.result } : { reason: why };
  run.emit({ type: "tool_end", step: run.step, toolUseId, toolName, status, durationMs: 0, ...told });
  return { call, status, output: undefined, result, context: context.context, isRejected: false };
}

function notRun(call: ModelToolCall, stopped: RunStopped): ToolEnd {
  const why = `it was not run, because the run was stopped: ${stopped.message}`;
  const result = { success: false, error: why };
  return { call, status: "blocked", output: deniedOutput(why), result, context: [], isRejected: false };
}
