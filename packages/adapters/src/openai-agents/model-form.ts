import { snapshot } from "@tenterhook/engine/host";
import { type EventName, TenterhookError, type ToolDefinition } from "@tenterhook/protocol";
import type { ModelRequest as HookedRequest, ModelPort, RequestChanges } from "../core/index.ts";
import type { Conversation } from "./messages.ts";
import { type Answer, changeAnswer, createAnswer, readAnswer } from "./model-answer.ts";
import type { Item, Model, ModelRequest, SdkToolDefinition } from "./sdk.ts";
import { SUPPORT } from "./support.ts";

/** Translates between a model of the SDK and hooks. */
export class OpenAiForm implements ModelPort<ModelRequest, Answer> {
  readonly #findModel: (name: string) => Promise<Model>;
  readonly #conversation: Conversation;
  readonly #name: string | undefined;
  readonly #call: (request: ModelRequest, model: Model) => Promise<Answer>;
  #model: Model;
  /** The model that a hook chose. */
  #chosen: string | undefined;

  /** `findModel` finds the model that a hook chose. */
  constructor(
    findModel: (name: string) => Promise<Model>,
    conversation: Conversation,
    model: Model,
    name: string | undefined,
    call: (request: ModelRequest, model: Model) => Promise<Answer>,
  ) {
    this.#findModel = findModel;
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
      tools: tools.map(readTool),
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

  call(request: ModelRequest, model = this.#chosen): Promise<Answer> {
    return model === undefined ? this.#call(request, this.#model) : this.#callOther(request, model);
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

  async #callOther(request: ModelRequest, name: string): Promise<Answer> {
    this.#model = await this.#findModel(name);
    return this.#call(request, this.#model);
  }
}

export function cannotCarry(effect: string, event: EventName): TenterhookError {
  const problem = `a hook answered with ${effect}, which this agent of ${SUPPORT.name} cannot carry out.`;
  return new TenterhookError("unsupported_hook", problem, { event });
}

/** The tools that hooks were given, by the schema: the SDK makes a new definition for each call, with the schema of the tool. */
const definitions = new WeakMap<object, ToolDefinition>();

function readTool(tool: SdkToolDefinition): ToolDefinition {
  const { name, description, parameters } = tool;
  if (typeof parameters !== "object" || parameters === null) return toDefinition(tool);
  const known = definitions.get(parameters);
  if (known !== undefined && known.name === name && known.description === description) return known;
  const definition = snapshot(toDefinition(tool));
  definitions.set(parameters, definition);
  return definition;
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
