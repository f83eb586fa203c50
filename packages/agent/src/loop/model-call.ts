import {
  askModel,
  type HookedRequest,
  type ModelEnd,
  type ModelPort,
  mayChangeAnswer,
  snapshot,
} from "@tenterhook/engine/host";
import { Backoff, messageOf, pause, readable, retryAfterMs } from "@tenterhook/internal";
import type { Message, ToolDefinition } from "@tenterhook/protocol";
import { abortError } from "../model/abort.ts";
import type { Model, ModelAnswer, ModelDelta, ModelRequest } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import { type OperationFacts, withSpans } from "../run/agent-instrument.ts";
import type { RunContext } from "../run/run-context.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { boundedAnswer, changedAnswer, readAnswer, toolUsesOf } from "./model-answer.ts";

/** The result of a model call; `hasShown`: its text has been streamed. */
export type ModelCallResult = ModelEnd<ModelAnswer> & { readonly hasShown: boolean };

export interface ModelCall {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly outputSchema?: object | undefined;
  /** The purpose of a call that is not the next step: `compaction`. */
  readonly purpose?: string;
}

/** Calls the model with its hooks. Rejects after a stop, and with an error that no hook may handle or has handled. */
export function callModel(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  call: ModelCall,
): Promise<ModelCallResult> {
  const { modelId: model, provider } = models.get(settings.modelName);
  const { systemPrompt, messages, tools, purpose } = call;
  const operation = () =>
    ({ type: "chat", model, provider, sessionId: run.host.sessionId, purpose }) as const;
  return withSpans(run.resources.instruments, operation, async (record) => {
    const system: readonly Message[] = systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }];
    const request = {
      messages: snapshot([...system, ...messages]),
      tools,
      systemPrompt,
      model: settings.modelName,
      ...(purpose !== undefined && { context: { purpose } }),
    };
    const display = new Display(run);
    try {
      const end = await askModel(run.host, request, createPort(run, models, settings, call, display, record));
      record({ outcome: end.type === "answered" ? end.status : end.type });
      return { ...end, hasShown: display.hasShown };
    } catch (error) {
      const { stopReason } = run;
      if (stopReason !== undefined) record({ outcome: stopReason });
      throw error;
    }
  });
}

/** How the agent calls its models. */
function createPort(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  { purpose, outputSchema }: ModelCall,
  display: Display,
  record: (facts: OperationFacts) => void,
): ModelPort<HookedRequest, ModelAnswer> {
  let called = models.get(settings.modelName).modelId;
  return {
    readRequest: (request) => request,
    changeRequest: (request, changes) => ({ ...request, ...changes }),
    async call({ messages, tools = [], model: name = settings.modelName }, redirected) {
      const model = models.get(redirected ?? name);
      const { modelId, provider } = model;
      called = modelId;
      if (purpose === undefined) await display.prepare();
      record({
        model: modelId,
        provider,
        input: messages,
        settings: settings.modelSettings,
        streams: display.isLive,
        wantsJson: outputSchema !== undefined,
      });
      const { signal } = run.host.signal;
      const request = { messages, tools, outputSchema, settings: settings.modelSettings, signal };
      return boundedAnswer(await callWithRetries(run, model, request, settings, display));
    },
    readAnswer(answer) {
      const { text, usage, finishReason, modelId: responseModel, message: output } = answer;
      // A hook or a wrapper may have chosen another model.
      run.recordStepUsage(called, usage);
      record({ usage, finishReason, responseModel, output });
      return { text, usage, toolUses: toolUsesOf(answer) };
    },
    changeAnswer: (answer, { text = answer.text, toolUses }) =>
      boundedAnswer(changedAnswer(answer, text, toolUses)),
    createResponse: (answer, given) => boundedAnswer(readAnswer(answer, given)),
  };
}

/** Streams an answer to the run's listener, if no hook may change it. */
class Display {
  readonly #run: RunContext;
  #isPrepared = false;
  isLive = false;
  /** Whether text has been streamed. */
  hasShown = false;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** For the next answer: live, unless hooks may change it; then `answer_buffered` is emitted. */
  async prepare(): Promise<void> {
    const run = this.#run;
    if (this.#isPrepared || !run.isStreamed) return;
    this.#isPrepared = true;
    this.isLive = !(await mayChangeAnswer(run.host.hooks));
    if (this.isLive) return;
    const reason = "hooks may change or refuse this answer, so it is shown after they have run";
    run.emit({ type: "answer_buffered", step: run.step, reason });
  }

  show({ type, text }: ModelDelta): void {
    if (type === "text") this.hasShown = true;
    this.#run.emit({ type: type === "text" ? "text_delta" : "reasoning_delta", step: this.#run.step, text });
  }

  /** Declares the streamed text void. */
  discard(reason: string): void {
    if (!this.hasShown) return;
    this.hasShown = false;
    this.#run.emit({ type: "answer_discarded", step: this.#run.step, reason });
  }
}

/** The longest pause, even if the provider asks for more. */
const MAX_DELAY_MS = 60_000;

/** Calls the model, and retries errors that the provider marks as retryable. A longer `retry-after` takes precedence over the pauses. */
async function callWithRetries(
  run: RunContext,
  model: Model,
  request: ModelRequest,
  { maxRetries, retryDelayMs }: LoopSettings,
  display: Display,
): Promise<ModelAnswer> {
  const { signal } = request;
  // Without chance, so that the reported delays can be foreseen.
  const backoff = new Backoff({ firstMs: retryDelayMs, mostMs: MAX_DELAY_MS, random: () => 0 });
  for (let retries = 0; ; retries++) {
    try {
      if (!display.isLive) return await model.generate(request);
      return await model.stream(request, (delta) => display.show(delta));
    } catch (thrown) {
      const error = readable(thrown);
      display.discard(`the model call failed: ${messageOf(error)}`);
      if (retries >= maxRetries || !isRetryable(error) || signal.aborted) throw error;
      const { step } = run;
      const delayMs = Math.min(MAX_DELAY_MS, Math.max(backoff.nextMs(), requestedDelayMs(error)));
      run.emit({ type: "retry", step, attempt: retries + 1, delayMs, error: messageOf(error) });
      await pause(delayMs, signal);
      if (signal.aborted) throw abortError(signal.reason);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && (error as { isRetryable?: unknown }).isRetryable === true
  );
}

/** The delay that the provider asks for. */
function requestedDelayMs(error: unknown): number {
  const headers = (error as { responseHeaders?: Readonly<Record<string, string>> }).responseHeaders;
  return retryAfterMs(headers?.["retry-after"], Date.now());
}
