import {
  afterStep,
  beforeStep,
  contextText,
  holdAtStop,
  offerError,
  refusalText,
} from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import type { ModelAnswer } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import { hookMessage, type StepStatus } from "../run/agent-event.ts";
import type { RunContext } from "../run/run-context.ts";
import type { RunResult, StopReason } from "../run/run-result.ts";
import { type CallParts, callTools, endExecutedCalls } from "./call-tools.ts";
import { compactIfLong } from "./compaction.ts";
import { toolUsesOf } from "./model-answer.ts";
import { callModel } from "./model-call.ts";
import { type AnswerSchema, outputFeedback, readOutput } from "./structured-output.ts";

/** A turn on its way. */
export interface Turn extends CallParts {
  readonly models: Models;
  /** The schema of the final answer; absent if any text is one. */
  readonly output: AnswerSchema | undefined;
  /** Stores the conversation; its errors fail the turn. */
  save(): Promise<void>;
  /** The latest answer without tool calls. */
  text: string;
  /** How often an answer was refused. */
  refusals: number;
}

/** How the loop ended. */
export type TurnEnd = Pick<RunResult<unknown>, "status" | "stopReason" | "reason" | "text" | "output">;

/**
 * The loop: step after step, until the model calls no more tools and the stop gates let the agent stop. Rejects with an error that no hook
 * recovered, and with that of a stopped run.
 */
export async function runTurn(turn: Turn): Promise<TurnEnd> {
  const { run, history, settings } = turn;
  for (;;) {
    run.host.check();
    const limit = findLimit(run);
    if (limit !== undefined) return stopAt(turn, limit.stopReason, limit.reason);
    const end = await runStep(turn);
    await save(turn);
    if (end.type === "skipped") continue;
    if (end.type === "called_tools") {
      if (end.isRejected && settings.stopOnRejection)
        return stopAt(turn, "tool_rejected", "a person rejected a tool call");
      continue;
    }
    if (end.type === "refused") {
      countRefusal(turn, "answer_refused", `hooks refused the answers; the last time because: ${end.reason}`);
      continue;
    }
    turn.text = end.text;
    const output = await readFinalAnswer(turn);
    if (output === undefined) continue;
    const answer = await holdAtStop(run.host, turn.text);
    if (answer.type === "stop")
      return { status: "completed", stopReason: "no_tool_calls", text: turn.text, output: output.value };
    history.append(hookMessage(answer.feedback));
  }
}

function findLimit({ host, tokens, resources }: RunContext) {
  const { maxSteps, maxTokens } = resources;
  if (host.steps.started >= maxSteps)
    return { stopReason: "max_steps", reason: `it reached its limit of ${maxSteps} steps` } as const;
  if (tokens < maxTokens) return undefined;
  return { stopReason: "budget_exhausted", reason: `it used ${tokens} of ${maxTokens} tokens` } as const;
}

/** Stops at a limit, which no hook overrides. The gates still run, and the result shows if one is not satisfied. */
async function stopAt({ run, text }: Turn, stopReason: StopReason, reason: string): Promise<TurnEnd> {
  try {
    await holdAtStop(run.host, text, stopReason);
  } catch (error) {
    if (error !== run.host.unsatisfied) throw error;
  }
  return { status: "stopped", stopReason, reason, text };
}

/** Stores the conversation; if that fails, hooks may handle the error. */
async function save(turn: Turn): Promise<void> {
  try {
    await turn.save();
  } catch (error) {
    const recovery = await offerError(turn.run.host, error, { phase: "iteration" });
    if (recovery.type === "unrecovered") throw recovery.error;
  }
}

/** The value of the final answer; `undefined` if the model has to give it again. */
async function readFinalAnswer(turn: Turn): Promise<{ readonly value: unknown } | undefined> {
  const { output, text, history } = turn;
  if (output === undefined) return { value: text };
  const read = await readOutput(text, output);
  if ("value" in read) return read;
  countRefusal(turn, "bad_output", `the final answer does not have the shape asked for: ${read.problem}`);
  history.append(hookMessage(outputFeedback(read.problem, output)));
  return undefined;
}

function countRefusal(turn: Turn, code: "answer_refused" | "bad_output", what: string): void {
  if (++turn.refusals <= turn.settings.maxRefusals) return;
  throw new TenterhookError(code, `${what} (${turn.refusals} times, which is more than the limit)`);
}

/** How a step ended. */
type StepEnd =
  /** By a hook. */
  | { readonly type: "skipped" }
  /** The model reads the results in the next step. It has to ask again after a failed call that a hook handled without an answer. */
  | { readonly type: "called_tools"; readonly isRejected: boolean }
  /** The model called no more tools. */
  | { readonly type: "done"; readonly text: string }
  /** Hooks refused the answer. */
  | { readonly type: "refused"; readonly reason: string };

/** One iteration: one model call, and the tool calls that it asks for. */
async function runStep(turn: Turn): Promise<StepEnd> {
  const { run, history } = turn;
  run.emit({ type: "step_start", step: run.host.steps.started + 1 });
  let end: StepEnd;
  try {
    end = await runOpenStep(turn);
  } catch (error) {
    const status = run.host.stopped === undefined ? "failed" : "stopped";
    // The error of the step stays that of the run, also if a hook fails at its end.
    await endStep(turn, status).catch(() => undefined);
    throw error;
  }
  history.replace(await endStep(turn, end.type === "skipped" ? "skipped" : "completed"));
  return end;
}

async function endStep({ run, history }: Turn, status: StepStatus) {
  const usage = run.takeStepUsage();
  run.emit({ type: "step_end", step: run.step, status, ...(usage !== undefined && { usage }) });
  return afterStep(run.host, history.messages, status);
}

async function runOpenStep(turn: Turn): Promise<StepEnd> {
  const { run, history, models, toolbox, settings, output } = turn;
  const before = await beforeStep(run.host, history.messages);
  history.replace(before.messages);
  if (before.type === "skip") return { type: "skipped" };
  await compactIfLong(run, models, settings, history);
  const result = await callModel(run, models, settings, {
    systemPrompt: settings.instructions,
    messages: history.messages,
    tools: toolbox.definitions,
    outputSchema: output?.isText ? undefined : output?.jsonSchema,
  });
  if (result.type === "refused") {
    history.append(hookMessage(refusalText(result.reason)));
    return { type: "refused", reason: result.reason };
  }
  if (result.type === "suppressed") return { type: "called_tools", isRejected: false };
  const { response: answer, hasShown } = result;
  const { text, message } = answer;
  const { step } = run;
  if (run.isStreamed && !hasShown && text !== "") run.emit({ type: "text_delta", step, text });
  run.emit({ type: "answer", step, text, toolUses: toolUsesOf(answer) });
  if (message !== undefined) history.append(message);
  return runCalls(turn, answer);
}

async function runCalls(turn: Turn, { toolCalls, text }: ModelAnswer): Promise<StepEnd> {
  const { history } = turn;
  const called = await callTools(
    turn,
    toolCalls.filter(({ executed }) => executed === undefined),
  );
  const executed = await endExecutedCalls(
    turn,
    toolCalls.filter(({ executed }) => executed !== undefined),
  );
  const context = [...called, ...executed].flatMap((end) => end.context);
  if (context.length > 0) history.append(hookMessage(contextText(context)));
  if (called.length === 0) return { type: "done", text };
  return { type: "called_tools", isRejected: called.some((end) => end.type === "refused" && end.isRejected) };
}
