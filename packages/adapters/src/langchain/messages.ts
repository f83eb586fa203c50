import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { snapshot, writableCopy } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { type Message, TenterhookError } from "@tenterhook/protocol";

interface Converted {
  readonly message: Message;
  /** What it was made of: a message of LangChain is not frozen. */
  readonly content: unknown;
  readonly toolCalls: unknown;
}

/** A conversation grows, and each of its messages is converted once. */
const converted = new WeakMap<BaseMessage, Converted>();

/** Finds LangChain's own message for one that hooks left as it was. */
const originals = new WeakMap<Message, BaseMessage>();

/** The conversation as hooks see it: the roles and parts that hooks see in Tenterhook's own agent, frozen. */
export function toMessages(messages: readonly BaseMessage[]): Message[] {
  return Object.freeze(messages.map(toMessage)) as Message[];
}

export function toMessage(message: BaseMessage): Message {
  const toolCalls = isAIMessage(message) ? message.tool_calls : undefined;
  const known = converted.get(message);
  if (known !== undefined && known.content === message.content && known.toolCalls === toolCalls)
    return known.message;
  const made = snapshot({ role: roleOf(message), content: contentOf(message) }) as Message;
  converted.set(message, { message: made, content: message.content, toolCalls });
  originals.set(made, message);
  return made;
}

/** The conversation as hooks left it. A message that they did not change is LangChain's own, with all that belongs to it. */
export function fromMessages(messages: readonly Message[]): BaseMessage[] {
  return messages.flatMap((message) => originals.get(message) ?? fromMessage(message));
}

/** The text that the user wrote: that of the last message of the user. */
export function readUserText(messages: readonly BaseMessage[]): string {
  return findUserMessage(messages)?.text ?? "";
}

/** The user's message with another text; it has the same id, by which LangGraph replaces it. Images and other parts stay. */
export function replaceUserText(messages: readonly BaseMessage[], text: string): BaseMessage {
  const message = findUserMessage(messages);
  if (message === undefined) return new HumanMessage(text);
  const { content, id, name, additional_kwargs } = message;
  const others = typeof content === "string" ? [] : content.filter(({ type }) => type !== "text");
  return new HumanMessage({
    content: others.length === 0 ? text : [{ type: "text", text }, ...others],
    additional_kwargs,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  });
}

function findUserMessage(messages: readonly BaseMessage[]): BaseMessage | undefined {
  return messages.findLast((message) => message.getType() === "human");
}

function roleOf(message: BaseMessage): Message["role"] {
  switch (message.getType()) {
    case "ai":
      return "assistant";
    case "tool":
    case "function":
      return "tool";
    case "system":
    case "developer":
      return "system";
    default:
      return "user";
  }
}

function contentOf(message: BaseMessage): unknown {
  if (isToolMessage(message)) {
    const { content, status } = message;
    const type = typeof content === "string" ? "text" : "json";
    return [
      {
        type: "tool-result",
        toolCallId: message.tool_call_id,
        toolName: message.name ?? "",
        output: { type: status === "error" ? `error-${type}` : type, value: content },
      },
    ];
  }
  const calls = (isAIMessage(message) ? message.tool_calls : undefined) ?? [];
  if (calls.length === 0) return message.content;
  const { content } = message;
  const parts =
    typeof content !== "string"
      ? content.filter(({ type }) => type !== "tool_use" && type !== "tool_call")
      : content === ""
        ? []
        : [{ type: "text", text: content }];
  return [
    ...parts,
    ...calls.map(({ id, name, args }) => ({
      type: "tool-call",
      toolCallId: id ?? "",
      toolName: name,
      input: args,
    })),
  ];
}

/** A message that a hook wrote or changed. */
function fromMessage({ role, content }: Message): BaseMessage | BaseMessage[] {
  switch (role) {
    case "system":
      return new SystemMessage({ content: plainContent(content) as string });
    case "user":
      return new HumanMessage({ content: plainContent(content) as string });
    case "assistant":
      return fromAssistant(content);
    case "tool":
      return fromToolResults(content);
  }
}

function fromAssistant(content: unknown): AIMessage {
  if (!Array.isArray(content)) return new AIMessage({ content: plainContent(content) as string });
  const parts = content.filter(isRecord);
  const isCall = ({ type }: Record<string, unknown>) => type === "tool-call";
  return new AIMessage({
    content: writableCopy(parts.filter((part) => !isCall(part))) as never,
    tool_calls: parts.filter(isCall).map(({ toolCallId, toolName, input }) => ({
      type: "tool_call",
      id: String(toolCallId ?? ""),
      name: String(toolName ?? ""),
      args: isRecord(input) ? writableCopy(input) : {},
    })),
  });
}

function fromToolResults(content: unknown): ToolMessage[] {
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  const results = parts.filter(({ type }) => type === "tool-result");
  if (results.length === 0) {
    const problem = 'a message of role "tool" has no part of type "tool-result".';
    throw new TenterhookError("bad_outcome", problem, {
      hint: "Return the parts that the hook was given, with another output.",
    });
  }
  return results.map(({ toolCallId, toolName, output }) => {
    const { type, value, reason } = isRecord(output) ? output : { type: "json", value: output };
    const isError = typeof type === "string" && (type.startsWith("error") || type === "execution-denied");
    return new ToolMessage({
      tool_call_id: String(toolCallId ?? ""),
      name: String(toolName ?? ""),
      content: toText(value ?? reason),
      ...(isError && { status: "error" }),
    });
  });
}

/** What a model can be given: text or parts. Not frozen, because LangChain and its providers own it from here. */
function plainContent(content: unknown): unknown {
  if (Array.isArray(content)) return writableCopy(content);
  return content === undefined || content === null ? "" : toText(content);
}

/** A value as the text of a message. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // A cycle or a big integer.
    return String(value);
  }
}
