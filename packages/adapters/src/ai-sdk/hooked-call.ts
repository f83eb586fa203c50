import { hasWrappers } from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import { beginModelCall, callModel, mayHaveAny, mayReplaceAnswer } from "../core/index.ts";
import { addGateCall, canKeepRunning, hideGate } from "./gate.ts";
import { LiveStream } from "./live-stream.ts";
import { SdkForm } from "./model-form.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, GenerateResult, Model, StreamResult } from "./sdk-types.ts";
import { collectStream, writeError, writeStream } from "./stream-parts.ts";

/** One call of the model in a run: `generate` or `stream`. */
export class HookedCall {
  readonly #model: Model;
  readonly #modelRun: ModelRun;
  #params: CallParams;

  constructor(model: Model, modelRun: ModelRun, params: CallParams) {
    this.#model = model;
    this.#modelRun = modelRun;
    const { run } = modelRun;
    run.follow(params.abortSignal);
    const prompt = modelRun.withContext(params.prompt);
    const shown = hideGate(prompt === params.prompt ? params : Object.assign({}, params, { prompt }));
    // Only a wrapper, or a run around this one, can stop it while the model is called; the caller's signal is in the request already.
    this.#params =
      run.init.parent !== undefined || hasWrappers(run.hooks, "around_llm")
        ? Object.assign({}, shown, { abortSignal: run.signal.signal })
        : shown;
  }

  async generate(): Promise<GenerateResult> {
    try {
      await this.#begin();
      const { run } = this.#modelRun;
      const form = this.#createForm(generate);
      const result = mayHaveAny(run.hooks)
        ? await callModel(run, this.#params, form)
        : await this.#model.doGenerate(this.#params);
      const finished = await this.#finish(result, form);
      this.#modelRun.answeredCall();
      return finished;
    } catch (error) {
      throw await this.#modelRun.failCall(error);
    }
  }

  async stream(): Promise<StreamResult> {
    try {
      await this.#begin();
      const { run } = this.#modelRun;
      const result = (await mayReplaceAnswer(run.hooks))
        ? await this.#streamLater()
        : await this.#streamLive();
      this.#modelRun.answeredCall();
      return result;
    } catch (error) {
      throw await this.#modelRun.failCall(error);
    }
  }

  #createForm(call: (model: Model, params: CallParams) => PromiseLike<GenerateResult>): SdkForm {
    return new SdkForm(this.#model, (name) => this.#modelRun.findModel(name), call);
  }

  async #begin(): Promise<void> {
    if (!this.#modelRun.hasBegun) await this.#modelRun.begin(this.#params);
    this.#params = await this.#modelRun.prepareCall(this.#params);
  }

  /** Asks the stop gate about an answer without tool calls. */
  async #finish(result: GenerateResult, form: SdkForm): Promise<GenerateResult> {
    const feedback = await this.#askStop(result, form);
    return feedback === undefined ? result : addGateCall(result, feedback);
  }

  async #askStop(result: GenerateResult, form: SdkForm): Promise<string | undefined> {
    const { text, toolUses } = form.readAnswer(result);
    this.#modelRun.noteCalls(toolUses, isExecuted(result));
    if (this.#modelRun.isContinued(result) || toolUses.length > 0) return undefined;
    return this.#checkFeedback(await this.#modelRun.finishAnswer(text, this.#params));
  }

  /** Throws where the agent cannot be kept running. */
  #checkFeedback(feedback: string | undefined): string | undefined {
    if (feedback === undefined || canKeepRunning(this.#params)) return feedback;
    const problem = `the agent stopped without satisfying its gate: ${feedback} (not held: its tool choice allows no more steps)`;
    throw new TenterhookError("gate_unsatisfied", problem, { event: "before_stop" });
  }

  /** A hook may change the answer: it is shown when it is complete. */
  async #streamLater(): Promise<StreamResult> {
    const { run } = this.#modelRun;
    let containsError = false;
    const form = this.#createForm(async (model, params) =>
      collectStream(await model.doStream(params), () => {
        containsError = true;
      }),
    );
    try {
      return writeStream(await this.#finish(await callModel(run, this.#params, form), form));
    } catch (error) {
      // As without hooks: a framework may try again after a call that failed, but not after an answer that contains an error.
      if (!containsError || run.stopped !== undefined || TenterhookError.isInstance(error)) throw error;
      return writeError(await this.#modelRun.failPart(error));
    }
  }

  /** No hook may change the answer: its text is shown while it is written. The last part waits for the hooks. */
  async #streamLive(): Promise<StreamResult> {
    const form = this.#createForm(generate);
    const call = await beginModelCall(this.#modelRun.run, this.#params, form);
    if (call.response !== undefined) {
      const end = await call.end(call.response);
      if (end.type !== "answered") throw new Error(end.reason);
      return writeStream(await this.#finish(end.response, form));
    }
    const live = new LiveStream(this.#modelRun, call);
    const result = await live.open(() => this.#model.doStream(call.request));
    return { ...result, stream: live.follow(result.stream, (answer) => this.#askStop(answer, form)) };
  }
}

/** Whether the tools of an answer are executed; those of one that was cut off or filtered are not. */
function isExecuted({ finishReason }: GenerateResult): boolean {
  const reason = typeof finishReason === "string" ? finishReason : finishReason.unified;
  return reason === "stop" || reason === "tool-calls";
}

function generate(model: Model, params: CallParams): PromiseLike<GenerateResult> {
  return model.doGenerate(params);
}
