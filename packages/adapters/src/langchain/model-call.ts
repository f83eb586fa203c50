import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, type UsageMetadata } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import {
  type AnswerChanges,
  callModel,
  type HookedAnswer,
  type HostRun,
  mayHaveAny,
  mayReplaceAnswer,
  type RequestChanges,
  writableCopy,
} from "@tenterhook/engine/host";
import { isRecord, orAborted } from "@tenterhook/internal";
import { TenterhookError, type ToolUse } from "@tenterhook/protocol";
import type { ModelRequest } from "langchain";
import { type AdapterOptions, findModel, warnOnce } from "../core/index.ts";
import { fromMessages, toMessages } from "./messages.ts";
import { fromDefinitions, readToolName, toDefinitions } from "./tool-definitions.ts";

/** What `hooksMiddleware` may be given besides the hooks; every option has a default. */
export interface LangChainOptions extends AdapterOptions {
  /** The models that hooks may choose by name, on `before_llm` and in wrappers of the model call. Default: none. */
  readonly models?: Readonly<Record<string, BaseChatModel>> | undefined;
}

/** What `wrapModelCall` gets and returns: a message, or one together with the structured response that LangChain read from it. */
export type ModelResponse = AIMessage | StructuredResponse;

interface StructuredResponse {
  readonly structuredResponse: unknown;
  readonly messages: readonly unknown[];
}

/** Calls the model of one step with its hooks. Text that hooks may still change is not streamed before they are done. */
export async function callModelWithHooks(
  run: HostRun,
  options: LangChainOptions,
  request: ModelRequest,
  handler: (request: ModelRequest) => Promise<ModelResponse>,
): Promise<ModelResponse> {
  // LangChain's own signal is only that of the caller: a nested call also ends when the run around it is stopped.
  const send = (sent: ModelRequest) => orAborted(handler(sent), run.signal);
  if (!mayHaveAny(run.hooks)) return send(request);
  warnAboutTools(request.tools, options);
  const listeners = findListeners();
  const isDelayed = await mayReplaceAnswer(run.hooks);
  let streamed: ModelResponse | undefined;
  const response = await callModel<ModelRequest, ModelResponse>(run, request, {
    readRequest: ({ systemMessage, messages, tools, model }) => ({
      messages: toMessages(systemMessage.text === "" ? messages : [systemMessage, ...messages]),
      tools: toDefinitions(tools),
      model: readModelName(model),
      ...(systemMessage.text !== "" && { systemPrompt: systemMessage.text }),
    }),
    changeRequest: (current, changes) => changeRequest(current, changes, options),
    call: async (current, name) => {
      const sent = name === undefined ? current : { ...current, model: findModel(options.models, name) };
      if (isDelayed) return callUnheard(listeners, () => send(sent));
      streamed = await send(sent);
      return streamed;
    },
    readAnswer,
    changeAnswer,
    createResponse: ({ text, toolUses }) =>
      new AIMessage({ content: text, tool_calls: toolUses.map(toToolCall) }),
    addFeedback: (current, feedback) => ({
      ...current,
      messages: [...current.messages, new HumanMessage(feedback)],
    }),
  });
  // Listeners that have not seen the answer get it as from a model that does not stream.
  if (response !== streamed && listeners.handlers.length > 0)
    await new FinalAnswer(findMessage(response)).invoke([], { callbacks: [...listeners.handlers] });
  return response;
}

/** The tools that were warned about, by the options of a middleware: a tool is offered in every call. */
const warned = new WeakMap<LangChainOptions, Set<string>>();

/** Tools that are plain objects are executed by the provider, or by the program: they reach no hook. */
function warnAboutTools(tools: ModelRequest["tools"], options: LangChainOptions): void {
  const { warn = warnOnce } = options;
  for (const tool of tools) {
    if (typeof (tool as { invoke?: unknown }).invoke === "function") continue;
    const known = warned.get(options) ?? new Set();
    warned.set(options, known);
    const name = readToolName(tool);
    if (known.has(name)) continue;
    known.add(name);
    warn(`The tool "${name}" is not executed by LangChain: hooks are not called about it.`);
  }
}

function changeRequest(
  request: ModelRequest,
  { messages, systemPrompt, tools, model }: RequestChanges,
  options: LangChainOptions,
): ModelRequest {
  return {
    ...request,
    ...(messages !== undefined && {
      // The system prompt is a field of its own here.
      messages: fromMessages(messages[0]?.role === "system" ? messages.slice(1) : messages),
    }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(tools !== undefined && { tools: fromDefinitions(tools) }),
    ...(model !== undefined && { model: findModel(options.models, model) }),
  };
}

/** The model's name as its provider knows it. */
function readModelName(model: ModelRequest["model"]): string {
  const { bound = model } = model as { bound?: object };
  const { model: name, modelName, _llmType } = bound as Record<string, unknown>;
  if (typeof name === "string") return name;
  if (typeof modelName === "string") return modelName;
  return typeof _llmType === "function" ? String(_llmType.call(bound)) : "model";
}

/** The message that the model wrote. */
function findMessage(response: ModelResponse): AIMessage {
  if (!isStructured(response)) return response;
  const message = response.messages.find((part) => AIMessage.isInstance(part));
  return (message as AIMessage | undefined) ?? new AIMessage("");
}

function isStructured(response: ModelResponse): response is StructuredResponse {
  return "structuredResponse" in response;
}

/** Reads an answer. Calls that the provider executed itself are not in `tool_calls`, so no hook sees them. */
export function readAnswer(response: ModelResponse): HookedAnswer {
  const message = findMessage(response);
  const { tool_calls: calls = [] } = message;
  const usage = message.usage_metadata as UsageMetadata | undefined;
  return {
    text: message.text,
    toolUses: calls.map(({ id, name, args }) => ({ id: id ?? "", name, input: isRecord(args) ? args : {} })),
    ...(usage !== undefined && {
      usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    }),
  };
}

/** The answer as hooks changed it. */
function changeAnswer(response: ModelResponse, changes: AnswerChanges): AIMessage {
  if (isStructured(response)) {
    const problem = "a hook changed an answer that LangChain has read as a structured response already.";
    const hint = "Refuse the answer with a reason instead, or match agents without a responseFormat.";
    throw new TenterhookError("bad_outcome", problem, { event: "after_llm", hint });
  }
  const { text = response.text, toolUses } = changes;
  const calls = toolUses === undefined ? (response.tool_calls ?? []) : toolUses.map(toToolCall);
  // The provider's own copy of the answer is left out: some send it back to their model instead of text and calls.
  const { output: _output, ...metadata } = response.response_metadata as Record<string, unknown>;
  return new AIMessage({
    content: changeContent(response, text, calls.length > 0) as string,
    tool_calls: calls,
    response_metadata: metadata,
    ...(response.id !== undefined && { id: response.id }),
    ...(response.name !== undefined && { name: response.name }),
    ...(response.usage_metadata !== undefined && { usage_metadata: response.usage_metadata }),
  });
}

function toToolCall({ id, name, input }: ToolUse) {
  // A copy: LangChain and its tools may write into it.
  return { type: "tool_call" as const, id, name, args: writableCopy(input) };
}

/** Other parts than text stay, but not the provider's parts for calls, and not reasoning, because it repeats the text. */
function changeContent({ content }: AIMessage, text: string, hasCalls: boolean): unknown {
  if (typeof content === "string" || hasCalls) return text;
  const rest = content.filter(({ type }) => !/^text$|tool_use|tool_call|reasoning|thinking/.test(type));
  return rest.length === 0 ? text : [...rest, { type: "text", text }];
}

/** What streams the text of one step: `streamMode: "messages"` and `streamEvents`. */
interface Listeners {
  /** It belongs to this one task of the graph: nothing else loses its listeners. */
  readonly manager: CallbackManager | undefined;
  readonly handlers: readonly BaseCallbackHandler[];
}

function findListeners(): Listeners {
  const callbacks: unknown = AsyncLocalStorageProviderSingleton.getRunnableConfig()?.callbacks;
  const isManager = typeof callbacks === "object" && callbacks !== null && "removeHandler" in callbacks;
  const manager = isManager ? (callbacks as CallbackManager) : undefined;
  return { manager, handlers: manager?.handlers.filter(isStreaming) ?? [] };
}

/** The marks by which LangChain itself decides whether a model streams. */
function isStreaming(handler: BaseCallbackHandler): boolean {
  const { lc_prefer_streaming, lc_prefer_chat_model_stream_events } = handler as {
    lc_prefer_streaming?: boolean;
    lc_prefer_chat_model_stream_events?: boolean;
  };
  return lc_prefer_streaming === true || lc_prefer_chat_model_stream_events === true;
}

/** Calls the model without its listeners, because hooks may still change the text. */
async function callUnheard<R>({ manager, handlers }: Listeners, call: () => Promise<R>): Promise<R> {
  for (const handler of handlers) manager?.removeHandler(handler);
  try {
    return await call();
  } finally {
    for (const handler of handlers) manager?.addHandler(handler, true);
  }
}

/** A model that gives an answer that exists already, through LangChain's own callbacks. */
class FinalAnswer extends BaseChatModel {
  readonly #message: AIMessage;

  constructor(message: AIMessage) {
    super({});
    this.#message = message;
  }

  override _llmType(): string {
    return "tenterhook_final_answer";
  }

  override _generate(): Promise<ChatResult> {
    return Promise.resolve({ generations: [{ text: this.#message.text, message: this.#message }] });
  }
}
