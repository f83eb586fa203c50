import type { ApprovalDecision } from "@tenterhook/engine";
import {
  callTool,
  endExecutedCall,
  type ToolEnd,
  type ToolInput,
  type ToolPort,
  toError,
} from "@tenterhook/engine/host";
import { checkJson, isCyclic, isRecord, messageOf, orAborted } from "@tenterhook/internal";
import { type Message, TenterhookError } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model/model.ts";
import type { ToolStatus } from "../run/agent-event.ts";
import { withSpans } from "../run/agent-instrument.ts";
import type { RunContext } from "../run/run-context.ts";
import { firstRefusal } from "../run/tool-checks.ts";
import { executeTool } from "../tools/execute-tool.ts";
import { jsonProblem } from "../tools/json-problem.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { ResolvedTool, Toolbox } from "../tools/toolbox.ts";
import type { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { deniedOutput, errorOutput, resultOutput, type ToolOutput, toolResultPart } from "./tool-output.ts";

/** What the tool calls of a turn use. */
export interface CallParts {
  readonly run: RunContext;
  readonly history: History;
  readonly toolbox: Toolbox;
  readonly settings: LoopSettings;
}

/**
 * Executes the tool calls of one step, and adds their results to the conversation, in the model's order. They are evaluated one after
 * another, so that a person gets one question at a time; those that may run do so in parallel, unless `parallelTools` is false. When one
 * stops the run, the running ones are aborted; it rejects when all have ended.
 */
export async function callTools(
  parts: CallParts,
  calls: readonly ModelToolCall[],
): Promise<readonly ToolEnd[]> {
  if (calls.length === 0) return [];
  const { run, history, settings } = parts;
  const { messages } = history;
  const ended: EndedCall[] = [];
  if (settings.parallelTools)
    ended.push(...(await Promise.all(calls.map((call) => runCall(parts, call, messages)))));
  else for (const call of calls) ended.push(await runCall(parts, call, messages));
  history.append({ role: "tool", content: ended.map(({ part }) => part) });
  // Every call has its result in the conversation before the run unwinds, so that the session can be continued.
  run.host.check();
  return ended.map(({ end }) => end);
}

/** A call, and its result as a part of the conversation. */
interface EndedCall {
  readonly end: ToolEnd;
  readonly part: object;
}

/** A call on its way. */
interface CurrentCall {
  readonly run: RunContext;
  readonly call: ModelToolCall;
  readonly context: ToolCallContext;
  readonly timeoutMs: number;
  /** The input as the tool's schema parsed it. */
  parsed: unknown;
  /** Whether `tool_start` was emitted. */
  isStarted: boolean;
  /** Whether the tool has a result. */
  hasResult: boolean;
  /** How long the tool took, with all of its executions. */
  durationMs: number;
}

/** Runs one call, from the model's request to the output that the model reads. It never rejects. */
function runCall(
  { run, toolbox, settings }: CallParts,
  call: ModelToolCall,
  messages: readonly Message[],
): Promise<EndedCall> {
  const { id: toolUseId, name: toolName, input: toolInput } = call;
  const tool = toolbox.get(toolName);
  const { sessionId, runId, signal } = run.host;
  const { workDir, instruments } = run.resources;
  const description = tool?.definition.description;
  const operation = () => {
    const input = isRecord(toolInput) ? toolInput : {};
    return { type: "execute_tool", toolName, toolUseId, description, toolInput: input } as const;
  };
  return withSpans(instruments, operation, async (record) => {
    const current: CurrentCall = {
      run,
      call,
      context: { toolCallId: toolUseId, messages, workDir, sessionId, runId, abortSignal: signal.signal },
      timeoutMs: tool?.timeoutMs ?? settings.toolTimeoutMs,
      parsed: undefined,
      isStarted: false,
      hasResult: false,
      durationMs: 0,
    };
    const port = tool === undefined ? unknownTool(call, toolbox.names) : createPort(current, tool);
    const end = await callTool(run.host, { toolName, toolUseId, toolInput }, port);
    const shown = await showResult(current, tool, end);
    const { status, output, error, ...result } = shown;
    const { isStarted, durationMs } = current;
    record({
      input: end.input,
      outcome: end.type === "result" && end.status === "recovered" ? end.status : status,
      ...("result" in result && { output: result.result }),
      ...(error !== undefined && { error }),
    });
    run.emit({
      type: "tool_end",
      step: run.step,
      toolUseId,
      toolName,
      status,
      ...result,
      ...(!isStarted && { toolInput: end.input }),
      durationMs,
    });
    return { end, part: toolResultPart(toolUseId, toolName, output) };
  });
}

/** How the agent checks and executes a call of a tool. */
function createPort(current: CurrentCall, tool: ResolvedTool): ToolPort {
  const { run, call, context, timeoutMs } = current;
  const { id: toolUseId, name: toolName } = call;
  const { sessionId, runId } = run.host;
  const permit = (toolInput: ToolInput) =>
    firstRefusal(run.resources.checks, { toolName, toolUseId, sessionId, runId, toolInput });
  return {
    async before(input) {
      const problem = await findInputProblem(call, tool);
      if (problem !== undefined) return badInput(problem);
      const reason = await permit(input);
      return reason === undefined ? undefined : { type: "refused", reason };
    },
    async validate(input) {
      const problem = jsonProblem(input, "the changed input");
      if (problem !== undefined) return problem;
      const checked = await tool.schema.check(input);
      return "problem" in checked ? checked.problem : undefined;
    },
    permit,
    async prepare(input) {
      const rejection = await askApprover(current, tool, input);
      if (rejection !== undefined) return { type: "refused", ...rejection };
      const checked = await tool.schema.check(input);
      if ("problem" in checked) return badInput(checked.problem);
      current.parsed = checked.value;
      return { type: "run", input: checked.value };
    },
    started(toolInput) {
      current.isStarted = true;
      run.emit({ type: "tool_start", step: run.step, toolUseId, toolName, toolInput });
    },
    async execute(input, signal) {
      const startedAt = performance.now();
      const execute = (abortSignal: AbortSignal) => {
        if (tool.execute === undefined)
          throw new TenterhookError("tool_failed", `the tool "${toolName}" cannot be run here.`);
        return tool.execute(input, { ...context, abortSignal }, run);
      };
      try {
        const result = await executeTool(toolName, execute, { signal: signal(), timeoutMs });
        checkResult(toolName, result);
        current.hasResult = true;
        return result;
      } finally {
        current.durationMs += performance.now() - startedAt;
      }
    },
  };
}

function unknownTool({ name }: ModelToolCall, names: readonly string[]): ToolPort {
  const known = names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`;
  return {
    before: () => badInput(`there is no tool "${name}". ${known}`),
    execute: () => undefined,
  };
}

function badInput(problem: string) {
  return { type: "invalid", error: new TenterhookError("bad_tool_input", problem) } as const;
}

async function findInputProblem(call: ModelToolCall, tool: ResolvedTool): Promise<string | undefined> {
  if (call.invalid !== undefined) return call.invalid;
  if (!isRecord(call.input)) return `the input of ${call.name} must be an object.`;
  const checked = await tool.schema.check(call.input);
  return "problem" in checked ? `the input of ${call.name} does not fit: ${checked.problem}` : undefined;
}

/** A tool of the AI SDK may require a person's approval; without an approver it does not run. Returns why it is refused. */
async function askApprover(
  { run, call, context }: CurrentCall,
  tool: ResolvedTool,
  toolInput: ToolInput,
): Promise<{ readonly reason: string; readonly isRejected: boolean } | undefined> {
  if (!(await tool.needsApproval?.(toolInput, context))) return undefined;
  const { approve } = run.host.init;
  const reason = `the tool "${call.name}" demands a person's approval`;
  if (approve === undefined) return { reason: `${reason}, and no approver is connected`, isRejected: false };
  let decision: ApprovalDecision;
  try {
    const asking = approve({
      event: "before_tool",
      hook: "needsApproval",
      reason,
      payload: run.host.payload<"before_tool">({ toolName: call.name, toolUseId: call.id, toolInput }),
      signal: context.abortSignal,
    });
    decision = await orAborted(Promise.resolve(asking), run.host.signal);
  } catch (error) {
    run.host.check();
    // Without an answer the call is not approved.
    return { reason: `${reason}, and the approver failed: ${messageOf(error)}`, isRejected: false };
  }
  if (decision.type === "approve") return undefined;
  const answer =
    decision.type === "reject"
      ? (decision.reason ?? `${reason}, and it was rejected`)
      : `${reason}, not an edit`;
  return { reason: answer, isRejected: true };
}

/** Throws for a result that exceeds the limits of JSON. */
function checkResult(toolName: string, result: unknown): void {
  try {
    checkJson(result, `the result of ${toolName}`);
  } catch (error) {
    // A cyclic result comes from code, not from a model; it is shown as text.
    if (!isCyclic(error)) throw error;
  }
}

/** What the model reads of a call, and what a person sees of it: the result, or why there is none. */
type ShownResult = { readonly status: ToolStatus; readonly output: unknown; readonly error?: Error } & (
  | { readonly result: unknown }
  | { readonly reason: string }
);

/** The output of a call; a tool of the AI SDK may have one of its own. */
async function showResult(
  { run, call, parsed, hasResult }: CurrentCall,
  tool: ResolvedTool | undefined,
  end: ToolEnd,
): Promise<ShownResult> {
  const shown = showEnd(end, hasResult);
  if (tool?.toModelOutput === undefined || end.type !== "result" || end.status !== "completed") return shown;
  try {
    return { ...shown, output: await tool.toModelOutput(end.value, parsed, call.id) };
  } catch (error) {
    const failure = toError(error);
    const { message } = failure;
    const { id, name } = call;
    run.host.steps.recordCall({ id, name, input: end.input, result: { success: false, error: message } });
    return { status: "failed", output: errorOutput(message), reason: message, error: failure };
  }
}

function showEnd(end: ToolEnd, hasResult: boolean): ShownResult {
  switch (end.type) {
    case "result": {
      const { value: result, status } = end;
      return { status: status === "skipped" ? status : "completed", output: resultOutput(result), result };
    }
    case "failed":
      return {
        status: "failed",
        output: errorOutput(end.shown),
        reason: end.error.message,
        error: end.error,
      };
    case "refused":
    case "stopped": {
      const { type, reason } = end;
      // The result is withheld, or there is none.
      const output = type === "refused" && hasResult ? errorOutput(reason) : deniedOutput(reason);
      return { status: "blocked", output, reason };
    }
  }
}

/**
 * Fires the after-events of calls that the provider has executed. They cannot be undone, but hooks may change a result in the
 * conversation, which the model reads from then on. Rejects after a stop.
 */
export async function endExecutedCalls(
  { run, history }: CallParts,
  calls: readonly ModelToolCall[],
): Promise<readonly ToolEnd[]> {
  const ends: ToolEnd[] = [];
  for (const { id: toolUseId, name: toolName, input: toolInput, executed } of calls) {
    const given =
      executed?.isError === true ? { error: toError(executed.result) } : { value: executed?.result };
    const end = await endExecutedCall(run.host, { toolName, toolUseId, toolInput }, given);
    const { status, output, ...result } = showEnd(end, true);
    run.emit({ type: "tool_end", step: run.step, toolUseId, toolName, status, durationMs: 0, ...result });
    run.host.check();
    const isUnchanged =
      (end.type === "result" && end.value === given.value) ||
      (end.type === "failed" && end.error === given.error);
    if (!isUnchanged) replaceResult(history, toolUseId, output as ToolOutput);
    ends.push(end);
  }
  return ends;
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
