import { isInstanceOf, orAborted } from "@tenterhook/internal";
import { type Payload, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import { toError } from "./errors.ts";
import {
  decideApproval,
  evaluateTool,
  fireStopped,
  newAskedCall,
  readNames,
  takeAskedCall,
} from "./evaluate-tool.ts";
import { offerError } from "./recovery.ts";
import { hasWrappers } from "./registered-hooks.ts";
import { type HostRun, stateOf } from "./run.ts";
import type {
  AskedCall,
  Evaluation,
  ToolCall,
  ToolChecks,
  ToolEnd,
  ToolInput,
  ToolOutcome,
  ToolPort,
} from "./tool-port.ts";
import { writableCopy } from "./writable-copy.ts";

/** A call on its way. */
interface CurrentCall {
  readonly run: HostRun;
  readonly call: ToolCall;
  readonly asked: AskedCall;
  readonly context: string[];
  /** As hooks have changed it. */
  input: ToolInput;
  /** When the tool was executed first. */
  startedAt: number | undefined;
  /** Whether the provider has executed it, which takes no time here. */
  readonly byProvider?: true;
}

/**
 * Calls a tool with its hooks: `before_tool`, `around_tool`, `after_tool` or `after_tool_failure`, `on_error`. It rejects only with a pause.
 * A stop is also stored in the run.
 */
export function callTool(run: HostRun, call: ToolCall, port: ToolPort): Promise<ToolEnd> {
  return runCall(run, call, port, port);
}

/** How a call is executed. */
export type Execution = Pick<ToolPort, "started" | "execute" | "isPause">;

/** The same with the checks and the execution apart. */
export async function runCall(
  run: HostRun,
  call: ToolCall,
  checks: ToolChecks,
  execution: Execution,
): Promise<ToolEnd> {
  if (checks.ask !== undefined && run.init.approve === undefined && run.hasHooks("before_tool")) {
    try {
      await decideApproval(run, call, checks);
    } catch (error) {
      if (checks.isPause?.(error) === true) throw error;
      // A stop is stored in the run, and found below.
    }
  }
  const asked = takeAskedCall(run, call);
  const { toolInput: input } = asked;
  const current: CurrentCall = { run, call, asked, context: [], input, startedAt: undefined };
  let end: ToolEnd;
  try {
    // Not under the lock again: the calls would start in another order.
    const evaluation = asked.evaluation ?? (await evaluateTool(run, call, asked, checks));
    end = await act(current, evaluation, execution);
  } catch (error) {
    if (execution.isPause?.(error) === true) throw error;
    end = await endByError(current, error);
  }
  return record(current, end);
}

/**
 * Ends a call that the provider of the model has executed: no hook was asked before, but hooks may change what the model reads of it. It
 * does not reject. A stop is also stored in the run.
 */
export async function endExecutedCall(run: HostRun, call: ToolCall, outcome: ToolOutcome): Promise<ToolEnd> {
  const asked = newAskedCall(call);
  const { toolInput: input } = asked;
  const startedAt = performance.now();
  const current: CurrentCall = { run, call, asked, context: [], input, startedAt, byProvider: true };
  const ending =
    "error" in outcome
      ? failed(current, toError(outcome.error))
      : succeeded(current, "completed", outcome.value);
  return record(current, await ending.catch((error: unknown) => endByError(current, error)));
}

function record({ run, call }: CurrentCall, end: ToolEnd): ToolEnd {
  const { toolUseId: id, toolName: name } = call;
  run.steps.recordCall({ id, name, input: end.input, result: readResult(end) });
  return end;
}

/** A call as `after_step` lists it. */
function readResult(end: ToolEnd) {
  if (end.type === "result") return { success: true, result: end.value };
  if (end.type !== "failed") return { success: false, error: end.reason };
  const result = ToolFailure.isInstance(end.error) ? end.error.result : undefined;
  return { success: false, error: end.error.message, ...(result !== undefined && { result }) };
}

async function act(current: CurrentCall, evaluation: Evaluation, port: Execution): Promise<ToolEnd> {
  if (evaluation.type === "invalid") return failed(current, evaluation.error);
  if (evaluation.type === "refused") return refused(current, evaluation.reason, evaluation.isRejected);
  current.input = evaluation.payload.toolInput;
  current.context.push(...evaluation.context);
  if (evaluation.type === "skip") {
    // A hook may skip a call with a failure, which is handled like any failure.
    if (ToolFailure.isInstance(evaluation.result)) return failed(current, evaluation.result);
    return succeeded(current, "skipped", evaluation.result);
  }
  let value: unknown;
  try {
    port.started?.(current.input);
    value = await execute(current, evaluation, port);
  } catch (error) {
    if (port.isPause?.(error) === true) throw error;
    // A tool that was interrupted has failed; one that was not started was refused.
    if (current.startedAt === undefined) current.run.check();
    return TenterhookError.isInstance(error) && error.code === "tool_blocked"
      ? refused(current, error.message, false)
      : failed(current, toError(error));
  }
  return succeeded(current, "completed", value);
}

/** Executes the tool inside the wrappers. It may throw at once. */
function execute(
  current: CurrentCall,
  { payload, prepared }: Evaluation & { readonly type: "run" },
  port: Execution,
): Promise<unknown> {
  const { run, call, asked } = current;
  const isWrapped = hasWrappers(run.hooks, "around_tool");
  const isUnchanged = payload.toolInput === asked.toolInput && call.toolInput !== undefined;
  // The framework's own object, unless hooks changed it: it may be an instance of a class, or have been parsed by a schema.
  const { input } = prepared ?? { input: isUnchanged ? call.toolInput : payload.toolInput };
  // A tool may write to its input, so that another execution gets another one. What hooks gave is frozen.
  const unwritten = isWrapped ? writableCopy(input) : input;
  const start = async () => {
    run.check();
    const isOwn = current.startedAt === undefined && !Object.isFrozen(input);
    current.startedAt ??= performance.now();
    const value = port.execute(isOwn ? input : writableCopy(unwritten), () => run.signal.signal);
    return isInstanceOf(value, Promise) ? orAborted(value, run.signal) : value;
  };
  return isWrapped ? run.hooks.call("around_tool", payload, start, stateOf(run).options) : start();
}

async function succeeded(
  current: CurrentCall,
  status: "completed" | "skipped",
  value: unknown,
): Promise<ToolEnd> {
  const { run } = current;
  let toolResult: unknown;
  try {
    // A copy: the tool may keep what it returned.
    toolResult = snapshot(value, (part) => isInstanceOf(part, Error));
  } catch (error) {
    return failed(current, toError(error));
  }
  current.asked.firedAfter = true;
  const after = await run.fireAfter("after_tool", { ...afterFields(current), toolResult, status });
  current.context.push(...after.context);
  if (after.action === "refuse") {
    const reason = `The result was withheld: ${after.reason}`;
    return { type: "refused", reason, isRejected: false, ...endFields(current) };
  }
  const changed = after.payload.toolResult;
  if (ToolFailure.isInstance(changed)) return offerFailure(current, changed);
  return {
    type: "result",
    value: changed === toolResult ? value : changed,
    status,
    ...endFields(current),
  };
}

async function refused(current: CurrentCall, reason: string, isRejected: boolean): Promise<ToolEnd> {
  const error = new TenterhookError("tool_blocked", reason);
  const after = await fireFailure(current, error, "blocked");
  const { message } = ToolFailure.of(after.payload.toolResult, error);
  return { type: "refused", reason: message, isRejected, ...endFields(current) };
}

async function failed(current: CurrentCall, error: Error): Promise<ToolEnd> {
  const after = await fireFailure(current, error, "failed");
  if (after.outcome.type === "recover") return recovered(current, after.result);
  return offerFailure(current, ToolFailure.of(after.payload.toolResult, error));
}

/** Offers a failure that the after-event did not recover to `on_error`, as hooks changed it. */
async function offerFailure(current: CurrentCall, error: Error): Promise<ToolEnd> {
  const { run, call, input } = current;
  run.check();
  const where = { phase: "tool", toolName: call.toolName, toolInput: input } as const;
  const recovery = await offerError(run, error, where);
  if (recovery.type === "recovered") return recovered(current, recovery.result);
  if (recovery.type === "suppressed") return recovered(current, undefined);
  return failure(current, recovery.error);
}

function recovered(current: CurrentCall, value: unknown): ToolEnd {
  if (ToolFailure.isInstance(value)) return failure(current, value);
  return { type: "result", value, status: "recovered", ...endFields(current) };
}

function failure(current: CurrentCall, error: Error): ToolEnd {
  const shown = ToolFailure.isInstance(error) ? error.shown : error.message;
  return { type: "failed", error, shown, ...endFields(current) };
}

async function fireFailure(current: CurrentCall, error: Error, status: "failed" | "blocked") {
  current.asked.firedAfter = true;
  const fields = { ...afterFields(current), error, status };
  const after = await current.run.fireAfter("after_tool_failure", fields);
  current.context.push(...after.context);
  return after;
}

/** Ends a call that threw. If the run was stopped, the after-event of a call that hooks were asked about still fires, once. */
async function endByError(current: CurrentCall, thrown: unknown): Promise<ToolEnd> {
  const { run, call, asked, input } = current;
  const { stopped } = run;
  if (stopped === undefined) return failure(current, toError(thrown));
  if (asked.firedBefore && !asked.firedAfter)
    await fireStopped(run, call, asked, stopped, input, readDuration(current));
  const reason = `the run was stopped: ${stopped.reason}`;
  const isAsked = asked.firedBefore || asked.firedAfter;
  return { type: "stopped", reason: isAsked ? reason : `it was not run: ${reason}`, ...endFields(current) };
}

function afterFields(current: CurrentCall) {
  const { call, asked, input, byProvider } = current;
  const fields: Pick<Payload<"after_tool">, "context" | "durationMs"> = {
    ...(byProvider === undefined && { durationMs: readDuration(current) }),
    ...(!asked.firedBefore && {
      context: { ...(byProvider && { providerExecuted: true }), beforeToolFired: false },
    }),
  };
  return { ...readNames(call), toolInput: input, ...fields };
}

/** How long the tool took, with all of its executions; not what hooks and people took before it. */
function readDuration({ startedAt }: CurrentCall): number {
  return startedAt === undefined ? 0 : performance.now() - startedAt;
}

function endFields({ input, context, startedAt }: CurrentCall) {
  return { input, context, started: startedAt !== undefined };
}
