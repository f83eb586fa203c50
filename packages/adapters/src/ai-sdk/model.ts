import {
  beginModelCall,
  callModel,
  hasWrappers,
  mayHaveAny,
  mayReplaceAnswer,
} from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import { addGateCall, canKeepRunning, hideGate } from "./gate.ts";
import type { LoopRun } from "./loop-run.ts";
import { createForm, readAnswer } from "./model-form.ts";
import type { CallParams, GenerateResult, Model, StreamResult } from "./sdk-types.ts";
import { collectStream, showLive, writeError, writeStream } from "./stream.ts";

/** A model that calls hooks around each call, and keeps the agent running when hooks require it. */
export function wrapModel(model: Model, getRun: (params: CallParams) => LoopRun): Model {
  return replaceCalls(model, {
    doGenerate: (params) => generate(model, getRun(params), params),
    doStream: (params) => stream(model, getRun(params), params),
  });
}

/** The model with other functions that call it. */
export function replaceCalls(model: Model, calls: Pick<Model, "doGenerate" | "doStream">): Model {
  // They may be getters of the provider's class.
  const { specificationVersion, provider, modelId } = model;
  const replaced: Model = {
    specificationVersion,
    provider,
    modelId,
    // Read when it is needed: it may be a promise that rejects.
    get supportedUrls() {
      return model.supportedUrls;
    },
    ...calls,
  };
  // What else the provider's model has.
  for (const key of Object.keys(model) as (keyof Model)[])
    if (!(key in replaced)) Object.assign(replaced, { [key]: model[key] });
  return replaced;
}

/** Calls a model with its hooks, in a run. */
export async function generate(model: Model, loopRun: LoopRun, given: CallParams): Promise<GenerateResult> {
  const { run } = loopRun;
  try {
    const params = await beginCall(loopRun, given);
    const result = mayHaveAny(run.hooks)
      ? await callModel(
          run,
          params,
          createForm(model, loopRun, (called, sent) => called.doGenerate(sent)),
        )
      : await model.doGenerate(params);
    const finished = await keepRunning(loopRun, params, result);
    loopRun.answeredCall();
    return finished;
  } catch (error) {
    throw await loopRun.failCall(error);
  }
}

/** The same for an answer that is streamed. */
export async function stream(model: Model, loopRun: LoopRun, given: CallParams): Promise<StreamResult> {
  try {
    const params = await beginCall(loopRun, given);
    const isLate = await mayReplaceAnswer(loopRun.run.hooks);
    const result = await (isLate ? streamLate : streamLive)(model, loopRun, params);
    loopRun.answeredCall();
    return result;
  } catch (error) {
    throw await loopRun.failCall(error);
  }
}

/** A hook may change the answer: it is shown when it is complete. */
async function streamLate(model: Model, loopRun: LoopRun, params: CallParams): Promise<StreamResult> {
  const { run } = loopRun;
  let containsError = false;
  const form = createForm(model, loopRun, async (called, sent) =>
    collectStream(await called.doStream(sent), () => {
      containsError = true;
    }),
  );
  try {
    return writeStream(await keepRunning(loopRun, params, await callModel(run, params, form)));
  } catch (error) {
    // As without hooks: a framework may try again after a call that failed, but not after an answer that contains an error.
    if (!containsError || run.stopped !== undefined || TenterhookError.isInstance(error)) throw error;
    return writeError(await loopRun.failPart(error));
  }
}

/** No hook may change the answer: its text is shown while it is written. */
async function streamLive(model: Model, loopRun: LoopRun, params: CallParams): Promise<StreamResult> {
  const form = createForm(model, loopRun, (called, sent) => called.doGenerate(sent));
  const call = await beginModelCall(loopRun.run, params, form);
  if (call.response !== undefined) {
    const end = await call.end(call.response);
    if (end.type !== "answered") throw new Error(end.reason);
    return writeStream(await keepRunning(loopRun, params, end.response));
  }
  const start = () => form.target.doStream(call.request);
  return showLive(loopRun, call, start, (answer) => askStop(loopRun, params, answer));
}

/** The request as it is sent: without the gate, with what hooks added, and with what they changed before the step. */
async function beginCall(loopRun: LoopRun, given: CallParams): Promise<CallParams> {
  const { run } = loopRun;
  run.follow(given.abortSignal);
  const prompt = loopRun.withContext(given.prompt);
  let params = hideGate(prompt === given.prompt ? given : Object.assign({}, given, { prompt }));
  // Only a wrapper, or a run around this one, can stop it while the model is called; the caller's signal is in the request already.
  if (run.init.parent !== undefined || hasWrappers(run.hooks, "around_llm"))
    params = Object.assign({}, params, { abortSignal: run.signal.signal });
  if (!loopRun.hasBegun) await loopRun.begin(params);
  return loopRun.prepareCall(params);
}

/** The answer, continued by a call of the gate if hooks keep the agent running. */
async function keepRunning(
  loopRun: LoopRun,
  params: CallParams,
  result: GenerateResult,
): Promise<GenerateResult> {
  const feedback = await askStop(loopRun, params, result);
  return feedback === undefined ? result : addGateCall(result, feedback);
}

/** Asks the stop gate about an answer without tool calls. Throws where the agent cannot be kept running. */
async function askStop(
  loopRun: LoopRun,
  params: CallParams,
  result: GenerateResult,
): Promise<string | undefined> {
  const { text, toolUses } = readAnswer(result);
  loopRun.noteCalls(toolUses, isExecuted(result));
  if (loopRun.isContinued(result) || toolUses.length > 0) return undefined;
  const feedback = await loopRun.finishAnswer(text, params);
  if (feedback === undefined || canKeepRunning(params)) return feedback;
  const problem = `the agent stopped without satisfying its gate: ${feedback} (not held: its tool choice allows no more steps)`;
  throw new TenterhookError("gate_unsatisfied", problem, { event: "before_stop" });
}

/** Whether the tools of an answer are executed; those of one that was cut off or filtered are not. */
function isExecuted({ finishReason }: GenerateResult): boolean {
  const reason = typeof finishReason === "string" ? finishReason : finishReason.unified;
  return reason === "stop" || reason === "tool-calls";
}
