import type * as sdk from "@strands-agents/sdk";
import { mayHaveHooks, snapshot } from "@tenterhook/engine/host";
import { asParent, callTool, type HostRun, mayHaveOneOf, type ToolEnd } from "../core/index.ts";
import { askPerson, isInterrupt } from "./approval.ts";
import type { AgentParts, Invocation } from "./invocation.ts";
import { drain, type Emit, relay } from "./relay.ts";
import { delegate, findSubagent } from "./subagent.ts";
import { readFailure, readResult, withContext, writeResult } from "./tool-result.ts";

type Result = { readonly result: sdk.ToolResultBlock };
type Events = AsyncGenerator<sdk.AgentStreamEvent, Result, undefined>;

const EVENTS = ["before_tool", "after_tool", "after_tool_failure", "on_error", "after_step"] as const;

/** Whether hooks have something to do at a tool call. */
export function concernsToolCall({ hooks }: AgentParts, { tool }: sdk.ExecuteToolContext): boolean {
  return findSubagent(tool) !== undefined || mayHaveOneOf(hooks, EVENTS, "around_tool");
}

/** A tool call that no hook looks at: only an agent that it runs has to know the run. */
export function executeTool(
  { run }: Invocation,
  context: sdk.ExecuteToolContext,
  next: (context: sdk.ExecuteToolContext) => Events,
): Events {
  return relay((emit: Emit<sdk.AgentStreamEvent>) => asParent(run, () => drain(next(context), emit)));
}

/**
 * A tool call with its hooks. It is the last thing before the tool itself, and its answer is a value, so that no other plugin can
 * reset a refusal, as it can reset `BeforeToolCallEvent.cancel`.
 */
export async function* callToolWithHooks(
  parts: AgentParts,
  invocation: Invocation,
  context: sdk.ExecuteToolContext,
  next: (context: sdk.ExecuteToolContext) => Events,
): Events {
  const { hooks, options } = parts;
  const { toolUse, tool } = context;
  const subagent = findSubagent(tool);
  const { run } = invocation;
  // Frozen once for all that read it; the tool gets its own.
  const call = { toolName: toolUse.name, toolInput: snapshot(toolUse.input), toolUseId: toolUse.toolUseId };
  // Questions are asked before the tool is called, because a pause throws.
  if (options.approve === undefined && mayHaveHooks(hooks, "before_tool"))
    await askPerson(invocation, call, context);
  let last: { readonly result: sdk.ToolResultBlock; readonly value: unknown } | undefined;
  const runTool = async (input: unknown, emit: Emit<sdk.AgentStreamEvent>) => {
    const changed =
      input === call.toolInput
        ? context
        : { ...context, toolUse: { ...toolUse, input: input as sdk.JSONValue } };
    const { result } = await asParent(run, () => drain(next(changed), emit));
    const value = result.status === "error" ? readFailure(result) : readResult(result);
    last = { result, value };
    if (result.status === "error") throw value;
    return value;
  };
  const end = yield* relay((emit: Emit<sdk.AgentStreamEvent>) =>
    callTool(run, call, {
      isPause: isInterrupt,
      execute: (input) =>
        subagent === undefined
          ? runTool(input, emit)
          : delegate(parts, run, subagent, input, (changed) => runTool(changed, orStopped(run, emit))),
    }),
  );
  invocation.cancelIfStopped();
  return { result: writeEnd() };

  function writeEnd(): sdk.ToolResultBlock {
    const { toolUseId } = toolUse;
    const shown = readShown(end);
    // What the tool itself returned, unless hooks changed it.
    const own = end.type === "failed" ? end.error : end.type === "result" ? end.value : undefined;
    if (last !== undefined && own !== undefined && own === last.value)
      return withContext(parts.sdk, last.result, end.context);
    return writeResult(parts.sdk, toolUseId, end.type === "result" ? "success" : "error", shown, end.context);
  }
}

/**
 * The events of a subagent are not shown after a stop. It was cancelled, and is read to its end: one that is left in between would fire no
 * event at its end, and Strands would never run it again.
 */
function orStopped<E>(run: HostRun, emit: Emit<E>): Emit<E> {
  return (event) =>
    emit(event).catch((error: unknown) => {
      if (run.stopped === undefined) throw error;
    });
}

/** What the model reads. */
function readShown(end: ToolEnd): unknown {
  switch (end.type) {
    case "result":
      return end.value;
    case "failed":
      return end.shown;
    case "refused":
    case "stopped":
      return end.reason;
  }
}
