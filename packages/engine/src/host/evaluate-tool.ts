import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@tenterhook/internal";
import { type Payload, TenterhookError } from "@tenterhook/protocol";
import type { Approver } from "../answer/approval.ts";
import { snapshot } from "../answer/snapshot.ts";
import type { Dispatch } from "../run/dispatch-hooks.ts";
import { toError } from "./errors.ts";
import { type HostRun, type RunStop, stateOf } from "./run.ts";
import { RunSignal } from "./run-signal.ts";
import type { AskedCall, Evaluation, ToolApproval, ToolCall, ToolChecks, ToolInput } from "./tool-port.ts";
import { writableCopy } from "./writable-copy.ts";

/**
 * For frameworks that ask before they execute: calls the hooks of `before_tool`, and stops at the first question to a person. The
 * following `callTool` of the same run does not call them again, unless the input is another one. After a pause the framework
 * starts a new run, where hooks are called again with the person's decision; the dispatch that was left at its question is not
 * recorded, so that traces and the audit log contain the call once. Rejects with a pause, and after a stop; then the after-event of a call
 * that hooks were asked about has been fired, whether or not the framework goes on to call the tool.
 */
export async function decideApproval(
  run: HostRun,
  call: ToolCall,
  checks: ToolChecks = {},
): Promise<ToolApproval> {
  const known = findAsked(run, call);
  if (known?.evaluation !== undefined) return approveFree(call, known);
  const asked = newAskedCall(call);
  if (asked.evaluation !== undefined) {
    stateOf(run).asked.set(call.toolUseId, asked);
    return approveFree(call, asked);
  }
  const unlock = await stateOf(run).evaluations.lock();
  // Its own signal: an abort after the question must not end, and so record, the abandoned dispatch.
  const signal = new RunSignal();
  const release = signal.follow(run.signal);
  let leave: (approval: ToolApproval | Promise<never>) => void = () => {};
  const questioned = new Promise<ToolApproval>((resolve) => {
    leave = resolve;
  });
  const askOrLeave: Approver = (request) => {
    const { reason, payload } = request;
    const { toolInput: input } = payload as Payload<"before_tool">;
    let approval: ToolApproval | Promise<never> = { type: "needs_approval", reason, input };
    try {
      const decision = checks.ask?.(request);
      if (decision !== undefined) return decision;
    } catch (error) {
      if (checks.isPause?.(error) !== true) throw error;
      approval = Promise.reject(error);
    }
    release();
    // The person may be asked about other calls of the step at the same time.
    unlock();
    leave(approval);
    return new Promise(() => {});
  };
  const evaluating = evaluate(run, call, asked, checks, findApprover(run, checks) ?? askOrLeave, signal)
    .then((evaluation) => {
      asked.evaluation = evaluation;
    })
    .catch(async (error: unknown) => {
      const { stopped } = run;
      if (stopped !== undefined && asked.firedBefore) await fireStopped(run, call, asked, stopped);
      throw error;
    })
    .finally(() => {
      release();
      unlock();
      stateOf(run).asked.set(call.toolUseId, asked);
    });
  return Promise.race([evaluating.then(() => approveFree(call, asked)), questioned]);
}

/** Fires the after-event of a call about which hooks were asked, and that a stop has kept from running. */
export async function fireStopped(
  run: HostRun,
  call: ToolCall,
  asked: AskedCall,
  { reason }: RunStop,
  input = asked.toolInput,
  durationMs = 0,
): Promise<void> {
  asked.firedAfter = true;
  const error = new TenterhookError("tool_blocked", `the run was stopped: ${reason}`);
  const fields = { ...readNames(call), toolInput: input, durationMs, error, status: "blocked" } as const;
  await run.fireLast("after_tool_failure", fields);
}

function approveFree(call: ToolCall, { toolInput: seen, evaluation }: AskedCall): ToolApproval {
  if (evaluation?.type !== "run") return { type: "free" };
  const { toolInput } = evaluation.payload;
  // A call without an input is executed all the same.
  const isOwn = toolInput === seen && call.toolInput !== undefined;
  return { type: "free", input: isOwn ? call.toolInput : writableCopy(toolInput) };
}

/** Gives the evaluation that `decideApproval` stored another id: for frameworks that tell the call's own id only later. */
export function renameEvaluation(run: HostRun, from: string, to: string): void {
  const { asked } = stateOf(run);
  const known = asked.get(from);
  asked.delete(from);
  if (known !== undefined) asked.set(to, known);
}

/** Forgets what `decideApproval` stored: hooks are called again by `callTool`, with the decision of a person whom the framework asks. */
export function dropEvaluation(run: HostRun, toolUseId: string): void {
  stateOf(run).asked.delete(toolUseId);
}

/** The call as `decideApproval` has left it, which is taken once; else one that hooks were not asked about. */
export function takeAskedCall(run: HostRun, call: ToolCall): AskedCall {
  const known = findAsked(run, call);
  stateOf(run).asked.delete(call.toolUseId);
  return known ?? newAskedCall(call);
}

/** Calls the hooks of `before_tool`, after those of the calls before this one. Rejects after a stop. */
export async function evaluateTool(
  run: HostRun,
  call: ToolCall,
  asked: AskedCall,
  checks: ToolChecks,
): Promise<Evaluation> {
  const unlock = await stateOf(run).evaluations.lock();
  try {
    return await evaluate(run, call, asked, checks, findApprover(run, checks), run.signal);
  } finally {
    unlock();
  }
}

/** A call that cannot be evaluated because something is broken is invalid: it fails, with its events. */
async function evaluate(...args: Parameters<typeof askHooks>): Promise<Evaluation> {
  const [run, , , checks] = args;
  try {
    return await askHooks(...args);
  } catch (error) {
    if (run.stopped !== undefined || checks.isPause?.(error) === true) throw error;
    return { type: "invalid", error: toError(error) };
  }
}

async function askHooks(
  run: HostRun,
  call: ToolCall,
  asked: AskedCall,
  checks: ToolChecks,
  approve: Approver | undefined,
  signal: RunSignal,
): Promise<Evaluation> {
  run.check();
  if (checks.before !== undefined) {
    const refusal = await checks.before(asked.toolInput);
    if (refusal !== undefined)
      return refusal.type === "invalid" ? refusal : { ...refusal, isRejected: false };
    run.check();
  }
  asked.firedBefore = true;
  const before = await run.fire(
    "before_tool",
    { ...readNames(call), toolInput: asked.toolInput },
    {
      approve,
      signal,
      validate: async ({ toolInput }) => checks.validate?.(toolInput),
      permit: async ({ toolInput }) => checks.permit?.(toolInput),
    },
  );
  const evaluation = readEvaluation(before);
  if (evaluation.type !== "run" || checks.prepare === undefined) return evaluation;
  const prepared = await checks.prepare(evaluation.payload.toolInput);
  run.check();
  return prepared.type === "run" ? { ...evaluation, prepared } : prepared;
}

function readEvaluation(before: Dispatch<"before_tool">): Evaluation {
  const { payload, context, reason = "no reason given" } = before;
  if (before.action === "refuse") {
    // An approver that failed has asked no person.
    const isRejected =
      before.error === undefined && before.trace.entries.some(({ approval }) => approval === "reject");
    return { type: "refused", reason, isRejected };
  }
  return before.action === "skip"
    ? { type: "skip", payload, result: before.result, context }
    : { type: "run", payload, prepared: undefined, context };
}

/** The run's own approver, or the decision that a person gave to the framework. */
function findApprover(run: HostRun, checks: ToolChecks): Approver | undefined {
  const { approve } = run.init;
  if (approve !== undefined) return approve;
  const { decision } = checks;
  if (decision === undefined) return undefined;
  return ({ edits }) => (decision.type === "edit" && edits === undefined ? { type: "approve" } : decision);
}

/** The fields of an event that no hook changes. */
export function readNames({ toolName, toolUseId, toolAliases = [] }: ToolCall) {
  return { toolName, toolUseId, ...(toolAliases.length > 0 && { toolAliases: [...toolAliases] }) };
}

/** What `decideApproval` stored about a call: of another tool or input under the same id there is nothing. */
function findAsked(run: HostRun, call: ToolCall): AskedCall | undefined {
  const asked = stateOf(run).asked.get(call.toolUseId);
  if (asked === undefined || asked.toolName !== call.toolName) return undefined;
  return isSameInput(asked.toolInput, call.toolInput) ? asked : undefined;
}

/**
 * Whether the input of a call has the same values as the one that hooks saw. Not by their JSON: a framework's own schema may have made a
 * BigInt or a cycle.
 */
export function isSameInput(seen: Readonly<ToolInput>, input: unknown): boolean {
  try {
    return isDeepStrictEqual(seen, isRecord(input) ? input : NO_INPUT);
  } catch {
    // Unreadable, or nested too deeply to compare: such calls count as different ones, and their hooks are called again.
    return false;
  }
}

/** A call that hooks were not asked about. */
export function newAskedCall({ toolName, toolInput }: ToolCall): AskedCall {
  const asked = { toolName, firedBefore: false, firedAfter: false, evaluation: undefined };
  try {
    return { ...asked, toolInput: isRecord(toolInput) ? snapshot(toolInput) : NO_INPUT };
  } catch (error) {
    return { ...asked, toolInput: NO_INPUT, evaluation: { type: "invalid", error: toError(error) } };
  }
}

const NO_INPUT: ToolInput = snapshot({});
