import type { Hooks } from "@tenterhook/engine";
import {
  afterStep,
  beforeStep,
  callModel,
  holdAtStop,
  mayHaveAny,
  mayReplaceAnswer,
  toError,
} from "@tenterhook/engine/host";
import { type Message, TenterhookError } from "@tenterhook/protocol";
import { type Emit, relay } from "../core/index.ts";
import { showRefusedHandoffs } from "./handoffs.ts";
import { type Answer, readText, toLastEvent, toResponse } from "./model-answer.ts";
import { Conversation, createModelPort, toMessage } from "./model-port.ts";
import type { HookedScopes, Scope } from "./scope.ts";
import type { Item, Model, ModelRequest, ModelResponse, StreamEvent } from "./sdk.ts";
import { addGateCall, removeGate, replaceGateCalls } from "./stop-gate.ts";

/** Calls a model of the SDK, streaming or not. */
type Call = (request: ModelRequest, model: Model) => Promise<Answer>;

/** A model with hooks. One that has them already has them once, for this agent. */
export function hookModel(hooked: HookedScopes, model: Model, agentName: string, name?: string): Model {
  return new HookedModel(hooked, removeHooks(model, hooked.hooks), agentName, name);
}

/** The model inside one that has these hooks, so that none is called twice. */
function removeHooks(model: Model, hooks: Hooks): Model {
  return model instanceof HookedModel && model.hooked.hooks === hooks ? model.inner : model;
}

/** A model whose calls have hooks: the events of the step, of the call, and of the end of the turn. */
class HookedModel implements Model {
  readonly supportsPromptModelSelection: boolean | undefined;
  readonly getRetryAdvice: ((request: object) => unknown) | undefined;
  readonly hooked: HookedScopes;
  readonly inner: Model;
  readonly #name: string | undefined;
  readonly #agentName: string;

  constructor(hooked: HookedScopes, inner: Model, agentName: string, name?: string) {
    this.hooked = hooked;
    this.inner = inner;
    this.#agentName = agentName;
    this.#name = name;
    this.supportsPromptModelSelection = inner.supportsPromptModelSelection;
    this.getRetryAdvice = inner.getRetryAdvice?.bind(inner);
  }

  async getResponse(given: ModelRequest): Promise<ModelResponse> {
    const { scope, request } = this.#open(given);
    if (!mayHaveAny(this.hooked.hooks)) return this.inner.getResponse(request);
    const call: Call = async (sent, model) => {
      const response = await model.getResponse(sent);
      return { output: response.output, usage: response.usage, response };
    };
    return toResponse(await this.#answer(scope, request, call));
  }

  /** Not a generator around another one where there are no hooks. */
  getStreamedResponse(given: ModelRequest): AsyncIterable<StreamEvent> {
    const { scope, request } = this.#open(given);
    return mayHaveAny(this.hooked.hooks)
      ? this.#stream(scope, request)
      : this.inner.getStreamedResponse(request);
  }

  /** The run of a call, and its request without what is internal: the same one if there is nothing of it. */
  #open(given: ModelRequest): { readonly scope: Scope; readonly request: ModelRequest } {
    const scope = this.hooked.findForModel(given, this.#agentName);
    const { run } = scope;
    run.check();
    const input = showRefusedHandoffs(scope, replaceGateCalls(given.input));
    const tools = removeGate(given.tools);
    const isNested = run.init.parent !== undefined;
    // The request has the caller's signal itself.
    if (!isNested && !mayHaveAny(this.hooked.hooks)) this.hooked.releaseBare(scope);
    if (!isNested && input === given.input && tools === given.tools) return { scope, request: given };
    // The call ends when the run around this one is stopped: the SDK's own signal is only that of the caller.
    if (isNested) run.follow(given.signal);
    // Not a spread: what follows one takes longer than all the rest.
    const request = Object.assign({}, given, { input, tools }, isNested && { signal: run.signal.signal });
    return { scope, request };
  }

  async *#stream(scope: Scope, request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
    const isLive = !(await mayReplaceAnswer(scope.run.hooks));
    let delayed: readonly StreamEvent[] = [];
    let streamed: readonly Item[] | undefined;
    const answer = yield* relay((emit: Emit<StreamEvent>) =>
      this.#answer(scope, request, async (sent, model) => {
        const events: StreamEvent[] = [];
        for await (const event of model.getStreamedResponse(sent)) {
          if (event.type === "response_done") {
            const { output, usage } = event.response as ModelResponse;
            delayed = events;
            streamed = output;
            return { output, usage, lastEvent: event };
          }
          if (isLive) await emit(event);
          else events.push(event);
        }
        throw new Error("the stream of the model ended without an answer.");
      }),
    );
    if (!isLive) yield* showAnswer(answer.output, streamed, delayed);
    yield toLastEvent(answer);
  }

  /** One step, up to its tool calls; and the end of the turn, if there are none. */
  async #answer(scope: Scope, request: ModelRequest, call: Call): Promise<Answer> {
    const { run } = scope;
    scope.failure = undefined;
    try {
      await checkFirst(scope);
      const conversation = new Conversation(request.input);
      const { messages } = await beforeStep(run, conversation.messages);
      const isChanged = messages !== conversation.messages;
      const input = isChanged ? conversation.toItems(messages) : conversation.items;
      const sent = input === request.input ? request : Object.assign({}, request, { input });
      const port = createModelPort(conversation, this.#name, async (changed, name) =>
        call(changed, name === undefined ? this.inner : await this.#findModel(scope, name)),
      );
      const answer = await callModel(run, sent, port);
      run.check();
      return await this.#orContinue(scope, conversation.messages, answer);
    } catch (error) {
      scope.failure = toError(error);
      this.hooked.releaseBare(scope);
      throw error;
    }
  }

  /** Asks whether the agent may stop, if this is its final answer. */
  async #orContinue(scope: Scope, messages: readonly Message[], answer: Answer): Promise<Answer> {
    let { output } = answer;
    if (isFinal(output)) {
      await afterStep(scope.run, [...messages, ...output.map(toMessage)]);
      const stop = await holdAtStop(scope.run, readText(output));
      if (stop.type === "go_on") output = addGateCall(output, stop.feedback);
    }
    const calls = output.filter(({ type }) => type === "function_call");
    this.hooked.recordCalls(
      scope,
      calls.map(({ callId }) => String(callId)),
    );
    return { ...answer, output };
  }

  /** The model that a hook chose, which the runner resolves. */
  async #findModel({ provider, run }: Scope, name: string): Promise<Model> {
    if (provider === undefined)
      throw run.unsupported({ event: "before_llm", hook: undefined }, "another model");
    return removeHooks(await provider.getModel(name), this.hooked.hooks);
  }
}

/** Refuses a run in which hooks have appeared that would not be called, at its first model call: a runner without hooks does not do it. */
async function checkFirst({ run, provider }: Scope): Promise<void> {
  const isChecked = provider !== undefined || run.steps.started > 0;
  const problem = isChecked ? undefined : await run.init.refusal?.();
  if (problem !== undefined) throw new TenterhookError("turn_refused", problem);
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
