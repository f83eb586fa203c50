import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@tenterhook/internal";
import type { Payload } from "@tenterhook/protocol";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../answer/approval.ts";
import { snapshot } from "../answer/snapshot.ts";
import { RunSignal } from "../context/run-signal.ts";
import type { Dispatch } from "../run/dispatch.ts";
import type { Evaluation, StoredEvaluation } from "./evaluation.ts";
import type { HookedRun } from "./hooked-run.ts";
import { writableCopy } from "./writable-copy.ts";

/** A tool call of the model, as the framework hands it over. */
export interface ToolCall {
  readonly toolName: string;
  /** The model's input; hooks see an empty object where it is not an object. */
  readonly toolInput: unknown;
  readonly toolUseId: string;
  /** Other names that matchers find the tool by. */
  readonly toolAliases?: readonly string[] | undefined;
}

/** The checks of the framework on a value that hooks changed. */
export interface ToolChecks {
  /** Checks an input that hooks changed, by the tool's schema; returns the problem. */
  validate?(input: Record<string, unknown>): string | undefined | Promise<string | undefined>;
  /** The decision of a person who was asked through the framework. Absent while nobody was asked. */
  readonly decision?: ApprovalDecision | undefined;
  /**
   * Asks a person through the framework, once for each question of a hook. Without an answer, `undefined`, the call needs approval.
   * What it throws refuses the call. `decideApproval` uses it, and only without a decision.
   */
  ask?(question: ApprovalRequest): ApprovalDecision | undefined;
}

/** Whether a person must be asked before the tool runs. */
export type Approval =
  /**
   * No approval is needed: `callTool` runs, skips or refuses the call. `input` is what would be executed, for the framework's own policies: the
   * framework's object unless hooks changed it; absent if the call is not executed.
   */
  | { readonly type: "free"; readonly input?: unknown }
  /** `input` is the one that the person is asked about: hooks may have changed it. */
  | {
      readonly type: "needs_approval";
      readonly reason: string;
      readonly hook: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/**
 * For frameworks that ask before they execute: calls the hooks of `before_tool`, and stops at the first question to a person. The
 * following `callTool` of the same run does not call them again, unless the input is another one. After a pause the framework
 * starts a new run, where hooks are called again with the person's decision; the dispatch that was left at its question is not
 * recorded, so that traces and the audit log contain the call once. Throws or rejects with `run.stopped` after a stop.
 */
export function decideApproval(
  run: HookedRun,
  given: ToolCall,
  checks: ToolChecks = {},
): Approval | Promise<Approval> {
  const { toolName, toolUseId, toolAliases } = given;
  // Copied once: a copy is not copied again.
  const call: ToolCall = { toolName, toolUseId, toolAliases, toolInput: readInput(given.toolInput) };
  const stored = findEvaluation(run, call);
  if (stored?.evaluation !== undefined) return approveFree(given, stored.input, stored.evaluation);
  run.checkStopped();
  // Its own signal: an abort after the question must not end, and so record, the abandoned dispatch.
  const signal = new RunSignal();
  const release = signal.follow(run.cancellation);
  let question: Approval | undefined;
  let answerQuestion: (question: Approval) => void = () => {};
  const pause: Approver = (request) => {
    const decision = checks.ask?.(request);
    if (decision !== undefined) return decision;
    const { reason, hook, payload } = request;
    const { toolInput: input } = payload as Payload<"before_tool">;
    release();
    question = { type: "needs_approval", reason, hook, input };
    answerQuestion(question);
    return new Promise(() => {});
  };
  const accept = (evaluation: Evaluation): Approval => {
    release();
    store(run, call, evaluation);
    return approveFree(given, call.toolInput, evaluation);
  };
  const reject = (error: unknown): never => {
    release();
    // `callTool` fires the after-event of a call whose hooks were called.
    store(run, call, undefined);
    throw error;
  };
  const approve =
    run.options.approve ?? (checks.decision === undefined ? pause : decisionApprover(checks.decision));
  let evaluating: Evaluation | Promise<Evaluation>;
  try {
    evaluating = evaluate(run, call, checks, approve, signal);
  } catch (error) {
    return reject(error);
  }
  if (!(evaluating instanceof Promise)) return accept(evaluating);
  const ended = evaluating.then(accept, reject);
  if (question !== undefined) return question;
  const asked = new Promise<Approval>((resolve) => {
    answerQuestion = resolve;
  });
  return Promise.race([ended, asked]);
}

/** `seen` is the copy of the input that hooks were asked about first. */
function approveFree(given: ToolCall, seen: unknown, evaluation: Evaluation): Approval {
  if (evaluation.type !== "run") return { type: "free" };
  const { toolInput } = evaluation.payload;
  // A call without an input is executed all the same.
  const isOwn = toolInput === seen && given.toolInput !== undefined;
  return { type: "free", input: isOwn ? given.toolInput : writableCopy(toolInput) };
}

/** The evaluation that `decideApproval` stored for this call, if it did: it is taken once. */
export function removeEvaluation(run: HookedRun, call: ToolCall): StoredEvaluation | undefined {
  const stored = findEvaluation(run, call);
  run.storedEvaluations?.delete(call.toolUseId);
  return stored;
}

/** Calls the hooks of `before_tool`. Throws or rejects with `run.stopped` after a stop. */
export function evaluateTool(
  run: HookedRun,
  call: ToolCall,
  checks: ToolChecks,
): Evaluation | Promise<Evaluation> {
  run.checkStopped();
  const { decision } = checks;
  const approve = run.options.approve ?? (decision === undefined ? undefined : decisionApprover(decision));
  return evaluate(run, call, checks, approve, run.cancellation);
}

function evaluate(
  run: HookedRun,
  call: ToolCall,
  { validate }: ToolChecks,
  approve: Approver | undefined,
  signal: RunSignal,
): Evaluation | Promise<Evaluation> {
  const fields = withNames({ toolInput: readInput(call.toolInput) }, call);
  const checks =
    approve === undefined && validate === undefined && signal === run.cancellation
      ? undefined
      : { approve, signal, validate: validate && checkInput(validate) };
  const firing = run.fire("before_tool", fields, checks);
  return firing instanceof Promise ? firing.then(readEvaluation) : readEvaluation(firing);
}

function checkInput(validate: NonNullable<ToolChecks["validate"]>) {
  return ({ toolInput }: Payload<"before_tool">) => validate(toolInput);
}

/** The fields of a call that no hook changes. */
export interface CallNames {
  toolName: string;
  toolUseId: string;
  toolAliases?: string[];
}

/** Completes the fields of an event by those of its call. Not by a spread, which is slow behind other fields. */
export function withNames<F extends object>(
  fields: F,
  { toolName, toolUseId, toolAliases = [] }: ToolCall,
): F & CallNames {
  const named = fields as F & CallNames;
  named.toolName = toolName;
  named.toolUseId = toolUseId;
  if (toolAliases.length > 0) named.toolAliases = [...toolAliases];
  return named;
}

function readEvaluation(before: Dispatch<"before_tool">): Evaluation {
  const { payload, context, reason = "no reason given" } = before;
  if (before.action === "refuse") {
    const isRejected = before.trace.entries.some(({ approval }) => approval === "reject");
    return { type: "refused", reason, isRejected };
  }
  return before.action === "skip"
    ? { type: "skip", payload, result: before.result, context }
    : { type: "run", payload, context };
}

/** Answers the question of a hook with the decision that a person gave to the framework. */
function decisionApprover(decision: ApprovalDecision): Approver {
  return ({ edits }) => (decision.type === "edit" && edits === undefined ? { type: "approve" } : decision);
}

function store(run: HookedRun, call: ToolCall, evaluation: Evaluation | undefined): void {
  run.storedEvaluations ??= new Map();
  const { toolName, toolInput } = call;
  run.storedEvaluations.set(call.toolUseId, { toolName, input: readInput(toolInput), evaluation });
}

/** The stored evaluation of a call: of another input under the same id there is none. */
function findEvaluation(run: HookedRun, call: ToolCall): StoredEvaluation | undefined {
  const stored = run.storedEvaluations?.get(call.toolUseId);
  if (stored === undefined || stored.toolName !== call.toolName) return undefined;
  const input = readInput(call.toolInput);
  return isSameInput(stored.input, input) ? stored : undefined;
}

/** The copy of an input that `decideApproval` made: an input of texts and numbers that has not changed since is not copied again. */
export function findInput(run: HookedRun, call: ToolCall): Record<string, unknown> | undefined {
  const input = run.storedEvaluations?.get(call.toolUseId)?.input;
  return input !== undefined && isRecord(call.toolInput) && isIdentical(input, call.toolInput)
    ? input
    : undefined;
}

/** Whether two inputs have the same values. Not by their JSON: a framework's own schema may have made a BigInt or a cycle. */
export function isSameInput(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  if (one === other || isIdentical(one, other)) return true;
  try {
    return isDeepStrictEqual(one, other);
  } catch {
    // Nested too deeply to compare: such calls count as different ones, and their hooks are called again.
    return false;
  }
}

/** Whether two inputs have the same fields, in the same order. */
function isIdentical(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  const keys = Object.keys(one);
  const others = Object.keys(other);
  return (
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && Object.is(one[key], other[key]))
  );
}

const NO_INPUT: Record<string, unknown> = snapshot({});

/** The input as hooks see it: a frozen copy. */
export function readInput(input: unknown): Record<string, unknown> {
  return isRecord(input) ? snapshot(input) : NO_INPUT;
}
