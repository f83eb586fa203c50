import { type HookedRequest, type ModelPort, snapshot } from "@tenterhook/engine/host";
import type { Message, ToolDefinition } from "@tenterhook/protocol";
import { type Answer, changeAnswer, createAnswer, readAnswer } from "./model-answer.ts";
import type { Item, ModelRequest, SdkToolDefinition } from "./sdk.ts";

/**
 * Translates between a model of the SDK and hooks. `name` is what hooks see of it; `call` calls the model, or another one that hooks chose.
 */
export function createModelPort(
  conversation: Conversation,
  name: string | undefined,
  call: (request: ModelRequest, model: string | undefined) => Promise<Answer>,
): ModelPort<ModelRequest, Answer> {
  let chosen: string | undefined;
  return {
    readRequest({ systemInstructions: systemPrompt, input, tools }): HookedRequest {
      const messages = conversation.toMessages(input as readonly Item[]);
      const hasPrompt = systemPrompt !== undefined && systemPrompt !== "";
      return {
        messages: hasPrompt ? [{ role: "system", content: systemPrompt }, ...messages] : messages,
        tools: tools.map(readTool),
        ...(hasPrompt && { systemPrompt }),
        ...(name !== undefined && { model: name }),
      };
    },
    changeRequest(request, { messages, tools, systemPrompt, model }) {
      if (model !== undefined) chosen = model;
      return {
        ...request,
        ...(messages !== undefined && { input: conversation.toItems(messages) }),
        ...(tools !== undefined && { tools: changeTools(request.tools, tools) }),
        ...(systemPrompt !== undefined && { systemInstructions: systemPrompt }),
      };
    },
    call: (request, model = chosen) => call(request, model),
    readAnswer,
    changeAnswer,
    createResponse: createAnswer,
    addFeedback: (request, content) => ({
      ...request,
      input: [...(request.input as readonly Item[]), { type: "message", role: "user", content }],
    }),
  };
}

function readTool({ name, description, parameters }: SdkToolDefinition): ToolDefinition {
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

/**
 * Translates the items of a conversation into messages and back. Items that hooks left alone come back as the very items that they
 * were, whatever else they contain.
 */
export class Conversation {
  readonly items: readonly Item[];
  /** The conversation without the instructions. */
  readonly messages: readonly Message[];
  readonly #items = new Map<unknown, Item>();
  readonly #messages = new Map<Item, Message>();

  constructor(input: string | readonly Item[]) {
    this.items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    this.messages = this.toMessages(this.items);
  }

  toMessages(items: readonly Item[]): readonly Message[] {
    if (items === this.items && this.messages !== undefined) return this.messages;
    return items.map((item) => this.#messages.get(item) ?? this.#add(item));
  }

  /** The items of a list of messages that hooks may have changed, without the instructions at its beginning. */
  toItems(messages: readonly Message[]): Item[] {
    const [first, ...rest] = messages;
    const listed = first?.role === "system" && !this.#items.has(first) ? rest : messages;
    return listed.map((message) => this.#items.get(message) ?? toItem(message));
  }

  #add(item: Item): Message {
    const message = snapshot(toMessage(item));
    this.#messages.set(item, message);
    this.#items.set(message, item);
    return message;
  }
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant"]);

/** The item as a message: all its fields, with a role and a content. */
export function toMessage(item: Item): Message {
  const { role, content, type } = item;
  if (ROLES.has(role)) return item as unknown as Message;
  if (type === "function_call_result")
    return Object.assign({}, item, { role: "tool" as const, content: item.output });
  return Object.assign({}, item, { role: "assistant" as const, content: content ?? "" });
}

/** The item of a message that a hook made or changed. */
function toItem({ role, content, ...rest }: Message): Item {
  const { type } = rest as { readonly type?: unknown };
  if (type === "function_call_result") return { ...rest, output: content } as Item;
  if (type !== undefined && type !== "message") return { ...rest } as Item;
  if (role === "assistant") {
    const parts = typeof content === "string" ? [{ type: "output_text", text: content }] : content;
    return { status: "completed", ...rest, type: "message", role, content: parts } as Item;
  }
  return { ...rest, type: "message", role: role === "tool" ? "user" : role, content } as Item;
}
