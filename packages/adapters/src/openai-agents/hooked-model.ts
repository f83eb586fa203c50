import type { EventName, Message } from "@tenterhook/protocol";
import { afterStep, beforeStep, callModel, holdAtStop, mayReplaceAnswer, toError } from "../core/index.ts";
import { EventQueue } from "./event-queue.ts";
import { Conversation, toMessage } from "./messages.ts";
import { type Answer, readText, toLastEvent, toResponse } from "./model-answer.ts";
import { cannotCarry, OpenAiForm } from "./model-form.ts";
import { readRefusedHandoffs } from "./refused-handoffs.ts";
import type { HookedScopes, Scope } from "./scope.ts";
import type { Item, Model, ModelRequest, ModelResponse, StreamEvent } from "./sdk.ts";
import { addGateCall, GATE_NAME, replaceGateCalls } from "./stop-gate.ts";

/** A model whose calls have hooks: the events of the step, of the call, and of the end of the turn. */
export class HookedModel implements Model {
  readonly hooked: HookedScopes;
  readonly inner: Model;
  readonly #name: string | undefined;
  readonly #agentName: string;

  constructor(hooked: HookedScopes, inner: Model, agentName: string, name?: string) {
    this.hooked = hooked;
    this.inner = inner;
    this.#agentName = agentName;
    this.#name = name;
    if (inner.supportsPromptModelSelection !== undefined)
      Object.defineProperty(this, "supportsPromptModelSelection", {
        value: inner.supportsPromptModelSelection,
      });
    if (inner.getRetryAdvice !== undefined)
      Object.defineProperty(this, "getRetryAdvice", {
        value: (request: object) => inner.getRetryAdvice?.(request),
      });
  }

  async getResponse(given: ModelRequest): Promise<ModelResponse> {
    const scope = this.hooked.findForModel(given, this.#agentName);
    const request = endWithParent(scope, given);
    if (!this.hooked.hasHooks(EVENTS, "around_llm")) return this.inner.getResponse(passOn(scope, request));
    const call = async (sent: ModelRequest, model: Model): Promise<Answer> => {
      const response = await model.getResponse(sent);
      return { output: response.output, usage: response.usage, response };
    };
    return toResponse(await this.#answer(scope, request, call));
  }

  /** Not a generator around another one where no hook needs it. */
  getStreamedResponse(given: ModelRequest): AsyncIterable<StreamEvent> {
    const scope = this.hooked.findForModel(given, this.#agentName);
    const request = endWithParent(scope, given);
    return this.hooked.hasHooks(EVENTS, "around_llm")
      ? this.#stream(scope, request)
      : this.inner.getStreamedResponse(passOn(scope, request));
  }

  async *#stream(scope: Scope, request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
    const isLive = !(await mayReplaceAnswer(scope.run.hooks));
    const queue = new EventQueue<StreamEvent>();
    let delayed: readonly StreamEvent[] = [];
    let streamed: readonly Item[] | undefined;
    const call = async (sent: ModelRequest, model: Model): Promise<Answer> => {
      const events: StreamEvent[] = [];
      for await (const event of model.getStreamedResponse(sent)) {
        if (event.type === "response_done") {
          const { output, usage } = event.response as ModelResponse;
          delayed = events;
          streamed = output;
          return { output, usage, lastEvent: event };
        }
        if (isLive) queue.push(event);
        else events.push(event);
        if (queue.isEnded) break;
      }
      throw new Error("the stream of the model ended without an answer.");
    };
    const answering = this.#answer(scope, request, call).finally(() => queue.end());
    // Handled below; a reader that leaves early does not see it.
    answering.catch(() => {});
    yield* queue;
    const answer = await answering;
    if (!isLive) yield* showAnswer(answer.output, streamed, delayed);
    yield toLastEvent(answer);
  }

  /** One step, up to its tool calls; and the end of the turn, if there are none. */
  async #answer(
    scope: Scope,
    request: ModelRequest,
    call: (request: ModelRequest, model: Model) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      scope.failure = undefined;
      const { run } = scope;
      if (!scope.isStarted) await scope.start();
      const conversation = new Conversation(readRefusedHandoffs(scope, replaceGateCalls(request.input)));
      const step = await beforeStep(run, conversation.messages);
      const findModel = (name: string) => this.#findModel(scope, name);
      const form = new OpenAiForm(findModel, conversation, this.inner, this.#name, call);
      const answer = await callModel(run, toSent(request, conversation, step.messages), form);
      run.check();
      return await this.#orContinue(scope, conversation.messages, answer);
    } catch (error) {
      scope.failure = toError(error);
      throw error;
    }
  }

  /** Asks whether the agent may stop, if this is its final answer. */
  async #orContinue(scope: Scope, messages: readonly Message[], answer: Answer): Promise<Answer> {
    const { output } = answer;
    if (isFinal(output)) return this.#finish(scope, messages, answer);
    const calls = output.filter(({ type }) => type === "function_call");
    this.hooked.recordCalls(
      scope,
      calls.map(({ callId }) => String(callId)),
    );
    return answer;
  }

  async #finish(scope: Scope, messages: readonly Message[], answer: Answer): Promise<Answer> {
    const { output } = answer;
    await afterStep(scope.run, [...messages, ...output.map(toMessage)]);
    const stop = await holdAtStop(scope.run, readText(output));
    if (stop.type === "go_on") {
      const continued = addGateCall(output, stop.feedback);
      this.hooked.recordCalls(scope, [String(continued.at(-1)?.callId)]);
      return { ...answer, output: continued };
    }
    scope.isFinished = true;
    this.hooked.recordCalls(scope, []);
    return answer;
  }

  /** The model that a hook chose. The runner resolves it; one with these hooks would call them a second time. */
  async #findModel({ provider }: Scope, name: string): Promise<Model> {
    if (provider === undefined) throw cannotCarry("another model", "before_llm");
    const model = await provider.getModel(name);
    return model instanceof HookedModel && model.hooked.hooks === this.hooked.hooks ? model.inner : model;
  }
}

/** The model call of a nested run ends when the run around it is stopped: the SDK's own signal is only that of the caller. */
function endWithParent(scope: Scope, request: ModelRequest): ModelRequest {
  if (scope.parent === undefined) return request;
  const { run } = scope;
  run.follow(request.signal);
  return Object.assign({}, request, { signal: run.signal.signal });
}

/** The request without the internal tool, and with what hooks made of the conversation: the same one if they changed nothing. */
function toSent(
  request: ModelRequest,
  conversation: Conversation,
  messages: readonly Message[],
): ModelRequest {
  const tools = request.tools.some(isGateTool)
    ? request.tools.filter((tool) => !isGateTool(tool))
    : request.tools;
  const input = messages === conversation.messages ? conversation.items : conversation.toItems(messages);
  if (tools === request.tools && input === request.input) return request;
  // Not a spread: what follows one takes longer than all the rest.
  return Object.assign({}, request, { tools, input });
}

function isGateTool({ name }: { readonly name: string }): boolean {
  return name === GATE_NAME;
}

/** The events that are fired around a model call. */
const EVENTS: readonly EventName[] = [
  "before_step",
  "before_llm",
  "on_error",
  "after_llm",
  "after_step",
  "before_stop",
  "subagent_stop",
];

/** The request of a call that no hook sees. */
function passOn(scope: Scope, request: ModelRequest): ModelRequest {
  scope.check();
  // Nothing asks whether the agent may stop.
  scope.isFinished = true;
  const input = readRefusedHandoffs(scope, replaceGateCalls(request.input));
  return input === request.input ? request : { ...request, input };
}

/** Items after which the run continues. */
const CONTINUING = new Set([
  "function_call",
  "computer_call",
  "shell_call",
  "apply_patch_call",
  "tool_search_call",
]);

function isFinal(output: readonly Item[]): boolean {
  const continues = output.some(
    ({ type, name }) =>
      CONTINUING.has(type ?? "") || (type === "hosted_tool_call" && name === "mcp_approval_request"),
  );
  return !continues && output.some(({ role }) => role === "assistant");
}

/** The delayed events of an answer: the model's own if hooks changed nothing, else its text in one piece. */
function* showAnswer(
  output: readonly Item[],
  streamed: readonly Item[] | undefined,
  events: readonly StreamEvent[],
): Generator<StreamEvent, void, undefined> {
  if (streamed?.every((item, index) => item === output[index])) {
    yield* events;
    return;
  }
  yield { type: "response_started" };
  const delta = readText(output);
  if (delta !== "") yield { type: "output_text_delta", delta };
}
