import { type EventName, type Message, TenterhookError, type ToolDefinition } from "@tenterhook/protocol";
import {
  callModel,
  type ModelRequest as HookedRequest,
  type ModelForm,
  type RequestChanges,
  toError,
} from "../core/index.ts";
import { EventQueue } from "./event-queue.ts";
import { Conversation, toMessage } from "./messages.ts";
import {
  type Answer,
  changeAnswer,
  createAnswer,
  readAnswer,
  readText,
  toLastEvent,
  toResponse,
} from "./model-answer.ts";
import { readRefusedHandoffs } from "./refused-handoffs.ts";
import type { HookedScopes, Scope } from "./scope.ts";
import type { Item, Model, ModelRequest, ModelResponse, SdkToolDefinition, StreamEvent } from "./sdk.ts";
import { addGateCall, GATE_NAME, replaceGateCalls } from "./stop-gate.ts";
import { SUPPORT } from "./support.ts";

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

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const scope = this.hooked.findForModel(request, this.#agentName);
    if (!this.hooked.hasHooks(EVENTS, "around_llm")) return this.inner.getResponse(passOn(scope, request));
    const call = async (sent: ModelRequest, model: Model): Promise<Answer> => {
      const response = await model.getResponse(sent);
      return { output: response.output, usage: response.usage, response };
    };
    return toResponse(await this.#answer(scope, request, call));
  }

  /** Not a generator around another one where no hook needs it. */
  getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const scope = this.hooked.findForModel(request, this.#agentName);
    return this.hooked.hasHooks(EVENTS, "around_llm")
      ? this.#stream(scope, request)
      : this.inner.getStreamedResponse(passOn(scope, request));
  }

  async *#stream(scope: Scope, request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
    const isLive = !(await scope.run.mayChangeAnswer());
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

  async #answer(
    scope: Scope,
    request: ModelRequest,
    call: (request: ModelRequest, model: Model) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      scope.failure = undefined;
      return await this.#runStep(scope, request, call);
    } catch (error) {
      scope.failure = toError(error);
      throw error;
    }
  }

  /** One step, up to its tool calls; and the end of the turn, if there are none. */
  async #runStep(
    scope: Scope,
    request: ModelRequest,
    call: (request: ModelRequest, model: Model) => Promise<Answer>,
  ): Promise<Answer> {
    const { run, events } = scope;
    await scope.start();
    const conversation = new Conversation(readRefusedHandoffs(scope, replaceGateCalls(request.input)));
    const step = await events.beforeStep(conversation.messages);
    if (step.type === "skip") throw cannotCarry("skip", "before_step", step.hook);
    const tools = request.tools.filter(({ name }) => name !== GATE_NAME);
    const form = new OpenAiForm(scope, conversation, this.inner, this.#name, call);
    const answer = await callModel(
      run,
      // Not a spread: what follows one takes longer than all the rest.
      Object.assign({}, request, { tools, input: conversation.toItems(step.messages) }),
      form,
    );
    run.checkStopped();
    return this.#orContinue(scope, conversation.messages, answer);
  }

  /** Asks whether the agent may stop, if this is its final answer. */
  async #orContinue(scope: Scope, messages: readonly Message[], answer: Answer): Promise<Answer> {
    const { output } = answer;
    const calls = output.filter(({ type }) => type === "function_call");
    if (!isFinal(output)) {
      this.hooked.recordCalls(
        scope,
        calls.map(({ callId }) => String(callId)),
      );
      return answer;
    }
    await scope.events.afterStep([...messages, ...output.map(toMessage)]);
    const stop = await scope.events.askStop(readText(output));
    if (stop.type === "go_on") {
      const continued = addGateCall(output, stop.feedback);
      this.hooked.recordCalls(scope, [String(continued.at(-1)?.callId)]);
      return { ...answer, output: continued };
    }
    scope.isFinished = true;
    this.hooked.recordCalls(scope, []);
    return answer;
  }
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
  scope.checkStopped();
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

/** Translates between a model of the SDK and hooks. */
class OpenAiForm implements ModelForm<ModelRequest, Answer> {
  readonly #scope: Scope;
  readonly #conversation: Conversation;
  readonly #name: string | undefined;
  readonly #call: (request: ModelRequest, model: Model) => Promise<Answer>;
  #model: Model;
  /** The model that a hook chose. */
  #chosen: string | undefined;

  constructor(
    scope: Scope,
    conversation: Conversation,
    model: Model,
    name: string | undefined,
    call: (request: ModelRequest, model: Model) => Promise<Answer>,
  ) {
    this.#scope = scope;
    this.#conversation = conversation;
    this.#model = model;
    this.#name = name;
    this.#call = call;
  }

  readRequest({ systemInstructions: systemPrompt, input, tools }: ModelRequest): HookedRequest {
    const messages = this.#conversation.toMessages(input as readonly Item[]);
    const hasPrompt = systemPrompt !== undefined && systemPrompt !== "";
    return {
      messages: hasPrompt ? [{ role: "system", content: systemPrompt }, ...messages] : messages,
      tools: tools.map(toDefinition),
      ...(hasPrompt && { systemPrompt }),
      ...(this.#name !== undefined && { model: this.#name }),
    };
  }

  changeRequest(
    request: ModelRequest,
    { messages, tools, systemPrompt, model }: RequestChanges,
  ): ModelRequest {
    if (model !== undefined) this.#chosen = model;
    return {
      ...request,
      ...(messages !== undefined && { input: this.#conversation.toItems(messages) }),
      ...(tools !== undefined && { tools: changeTools(request.tools, tools) }),
      ...(systemPrompt !== undefined && { systemInstructions: systemPrompt }),
    };
  }

  async call(request: ModelRequest, model = this.#chosen): Promise<Answer> {
    if (model !== undefined) this.#model = await this.#findModel(model);
    return this.#call(request, this.#model);
  }

  readAnswer = readAnswer;
  changeAnswer = changeAnswer;
  createResponse = createAnswer;

  addFeedback(request: ModelRequest, feedback: string): ModelRequest {
    return {
      ...request,
      input: [...(request.input as readonly Item[]), { type: "message", role: "user", content: feedback }],
    };
  }

  async #findModel(name: string): Promise<Model> {
    const { provider } = this.#scope;
    if (provider === undefined) throw cannotCarry("another model", "before_llm");
    const model = await provider.getModel(name);
    return model instanceof HookedModel ? model.inner : model;
  }
}

function cannotCarry(effect: string, event: EventName, hook?: string): TenterhookError {
  const problem = `it answered with ${effect}, which this agent of ${SUPPORT.name} cannot carry out.`;
  return new TenterhookError("unsupported_hook", problem, { hook, event });
}

function toDefinition({ name, description, parameters }: SdkToolDefinition): ToolDefinition {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { inputSchema: parameters }),
  };
}

/** The tools that hooks left, as hooks changed them. */
function changeTools(
  offered: readonly SdkToolDefinition[],
  tools: readonly ToolDefinition[],
): readonly SdkToolDefinition[] {
  return tools.map(({ name, description, inputSchema }) => {
    const tool = offered.find((other) => other.name === name) ?? { type: "function", name, strict: false };
    return {
      ...tool,
      ...(description !== undefined && { description }),
      ...(inputSchema !== undefined && { parameters: inputSchema }),
    };
  });
}
