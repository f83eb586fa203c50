import { HumanMessage } from "@langchain/core/messages";
import { TenterhookError } from "@tenterhook/protocol";
import type { ModelRequest as LangChainRequest } from "langchain";
import {
  callModel,
  type HostRun,
  type ModelPort,
  mayReplaceAnswer,
  type RequestChanges,
  warnOnce,
} from "../core/index.ts";
import { changeAnswer, createAnswer, findMessage, type ModelResponse, readAnswer } from "./answer.ts";
import { AnswerStream } from "./delayed-stream.ts";
import { fromMessages, toMessages } from "./messages.ts";
import type { LangChainOptions } from "./options.ts";
import { fromDefinitions, readToolName, toDefinitions } from "./tool-definitions.ts";

/** The request of one model call, of an agent of any type. */
export type ModelRequest = LangChainRequest;

/** Calls the model of one step with its hooks. Text that hooks may still change is not streamed before they are done. */
export async function callModelWithHooks(
  run: HostRun,
  options: LangChainOptions,
  request: ModelRequest,
  handler: (request: ModelRequest) => Promise<ModelResponse>,
): Promise<ModelResponse> {
  warnAboutTools(request.tools, options);
  const stream = new AnswerStream();
  const isDelayed = await mayReplaceAnswer(run.hooks);
  let streamed: ModelResponse | undefined;
  const port: ModelPort<ModelRequest, ModelResponse> = {
    readRequest: ({ systemMessage, messages, tools, model }) => ({
      messages: toMessages(systemMessage.text === "" ? messages : [systemMessage, ...messages]),
      tools: toDefinitions(tools),
      model: readModelName(model),
      ...(systemMessage.text !== "" && { systemPrompt: systemMessage.text }),
    }),
    changeRequest: (current, changes) => changeRequest(current, changes, options),
    call: async (current, name) => {
      const sent = name === undefined ? current : { ...current, model: findModel(name, options) };
      if (isDelayed) return stream.delay(() => handler(sent));
      streamed = await handler(sent);
      return streamed;
    },
    readAnswer,
    changeAnswer,
    createResponse: createAnswer,
    addFeedback: (current, feedback) => ({
      ...current,
      messages: [...current.messages, new HumanMessage(feedback)],
    }),
  };
  const response = await callModel(run, request, port);
  if (response !== streamed) await stream.show(findMessage(response));
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
    ...(model !== undefined && { model: findModel(model, options) }),
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

function findModel(name: string, { models = {} }: LangChainOptions): ModelRequest["model"] {
  const model = Object.hasOwn(models, name) ? models[name] : undefined;
  if (model !== undefined) return model;
  throw new TenterhookError(
    "unsupported_hook",
    `a hook chose the model "${name}", which is not known here.`,
    {
      hint: `Give it to the adapter: hooksMiddleware(hooks, { models: { ${JSON.stringify(name)}: … } }).`,
    },
  );
}
