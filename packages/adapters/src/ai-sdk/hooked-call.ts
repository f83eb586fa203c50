import { TenterhookError } from "@tenterhook/protocol";
import { callModel, HookedModelCall, mayHaveAny } from "../core/index.ts";
import { addGateCall, canKeepRunning, hideGate } from "./gate.ts";
import { LiveStream } from "./live-stream.ts";
import { createForm, readAnswer } from "./model-form.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, GenerateResult, Model, StreamResult } from "./sdk-types.ts";
import { collectStream, writeStream } from "./stream-parts.ts";

/** One call of the model in a run: `generate` or `stream`. */
export class HookedCall {
  readonly #model: Model;
  readonly #modelRun: ModelRun;
  #params: CallParams;

  constructor(model: Model, modelRun: ModelRun, params: CallParams) {
    this.#model = model;
    this.#modelRun = modelRun;
    const { abortSignal, prompt } = params;
    modelRun.run.follow(abortSignal);
    // Not spreads: properties that follow one take longer than all the rest.
    const shown = hideGate(Object.assign({}, params, { prompt: modelRun.withContext(prompt) }));
    // Also aborted when a hook stops the run.
    this.#params = Object.assign({}, shown, { abortSignal: modelRun.run.signal });
  }

  generate(): Promise<GenerateResult> {
    return this.#guarded(async () => {
      const { run } = this.#modelRun;
      if (!mayHaveAny(run.hooks)) return this.#finish(await this.#model.doGenerate(this.#params));
      const form = createForm(this.#model, this.#findModel, (model, params) => model.doGenerate(params));
      return this.#finish(await callModel(run, this.#params, form));
    });
  }

  stream(): Promise<StreamResult> {
    return this.#guarded(async () => {
      if (!(await this.#modelRun.run.mayChangeAnswer())) return this.#streamLive();
      const form = createForm(this.#model, this.#findModel, async (model, params) =>
        collectStream(await model.doStream(params)),
      );
      return writeStream(await this.#finish(await callModel(this.#modelRun.run, this.#params, form)));
    });
  }

  readonly #findModel = (name: string): Model => this.#modelRun.findModel(name);

  async #guarded<T>(operation: () => Promise<T>): Promise<T> {
    const modelRun = this.#modelRun;
    try {
      await modelRun.begin(this.#params);
      this.#params = await modelRun.prepareCall(this.#params);
      const result = await operation();
      modelRun.answeredCall();
      return result;
    } catch (error) {
      throw await modelRun.failCall(error);
    }
  }

  /** Asks the stop gate about an answer without tool calls. */
  async #finish(result: GenerateResult): Promise<GenerateResult> {
    const feedback = await this.#askStop(result);
    return feedback === undefined ? result : addGateCall(result, feedback);
  }

  async #askStop(result: GenerateResult): Promise<string | undefined> {
    const { text, toolUses } = readAnswer(result);
    this.#modelRun.noteCalls(toolUses, isExecuted(result));
    if (this.#modelRun.isContinued(result) || toolUses.length > 0) return undefined;
    const feedback = await this.#modelRun.finishAnswer(text, this.#params);
    if (feedback === undefined || canKeepRunning(this.#params)) return feedback;
    const problem = `the agent stopped without satisfying its gate: ${feedback} (not held: its tool choice allows no more steps)`;
    throw new TenterhookError("gate_unsatisfied", problem, { event: "before_stop" });
  }

  /** No hook may change the answer: its text is shown while it is written. The last part waits for the hooks. */
  async #streamLive(): Promise<StreamResult> {
    const form = createForm(this.#model, this.#findModel, (model, params) => model.doGenerate(params));
    const call = new HookedModelCall(this.#modelRun.run, form);
    const begun = await call.begin(this.#params);
    if (begun.type === "skipped") {
      const end = await call.end(begun.response);
      if (end.type !== "answered") throw new Error(end.reason);
      return writeStream(await this.#finish(end.response));
    }
    const live = new LiveStream(this.#modelRun, call);
    const result = await live.open(() => this.#model.doStream(begun.request));
    return { ...result, stream: live.follow(result.stream, (answer) => this.#askStop(answer)) };
  }
}

/** Whether the tools of an answer are executed; those of one that was cut off or filtered are not. */
function isExecuted({ finishReason }: GenerateResult): boolean {
  const reason = typeof finishReason === "string" ? finishReason : finishReason.unified;
  return reason === "stop" || reason === "tool-calls";
}
