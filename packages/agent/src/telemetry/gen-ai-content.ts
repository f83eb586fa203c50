import type { Attributes } from "@opentelemetry/api";
import { printed } from "@tenterhook/internal";
import type { Message } from "@tenterhook/protocol";
import type { AgentOperation, OperationFacts } from "../run/agent-instrument.ts";
import { finishReasonOf } from "./gen-ai-attributes.ts";

/** The content of an operation. Attributes cannot be objects, so messages are JSON texts in the schema of the conventions. */
export function contentAttributes(operation: AgentOperation, facts: OperationFacts): Attributes {
  switch (operation.type) {
    case "invoke_agent":
      return agentContent(facts.input ?? operation.message, facts);
    case "chat":
      return chatContent(facts);
    case "execute_tool":
      return {
        "gen_ai.tool.call.arguments": printed(facts.input ?? operation.toolInput),
        ...(facts.output !== undefined && { "gen_ai.tool.call.result": printed(facts.output) }),
      };
  }
}

function agentContent(message: unknown, { output, outcome }: OperationFacts): Attributes {
  const input = printed([{ role: "user", parts: messageParts(message) }]);
  if (typeof output !== "string" || output === "") return { "gen_ai.input.messages": input };
  const finishReason = outcome === "completed" ? "stop" : outcome === "failed" ? "error" : outcome;
  return { "gen_ai.input.messages": input, ...outputMessage(messageParts(output), finishReason) };
}

function chatContent(facts: OperationFacts): Attributes {
  // For a chat, `input` is the conversation and `output` the answer.
  const messages = (facts.input ?? []) as readonly Message[];
  const answer = facts.output as Message | undefined;
  const firstOther = messages.findIndex(({ role }) => role !== "system");
  const systemCount = firstOther === -1 ? messages.length : firstOther;
  const instructions = messages.slice(0, systemCount).flatMap(({ content }) => messageParts(content));
  const conversation = messages
    .slice(systemCount)
    .map(({ role, content }) => ({ role, parts: messageParts(content) }));
  return {
    ...(instructions.length > 0 && { "gen_ai.system_instructions": printed(instructions) }),
    ...(conversation.length > 0 && { "gen_ai.input.messages": printed(conversation) }),
    ...(answer !== undefined && outputMessage(messageParts(answer.content), finishReasonOf(facts))),
  };
}

function outputMessage(parts: readonly MessagePart[], finishReason = "stop"): Attributes {
  const message = { role: "assistant", parts, finish_reason: finishReason };
  return { "gen_ai.output.messages": printed([message]) };
}

/** A part of a message in the schema of the conventions: `type`, and the fields of that type. */
type MessagePart = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The fields of an AI SDK message part that are read here. */
interface SdkPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly output?: { readonly type?: unknown; readonly value?: unknown };
  readonly mediaType?: unknown;
  readonly data?: unknown;
  readonly image?: unknown;
}

/** The content of a message, in the schema of the conventions. */
function messageParts(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return [{ type: "text", content }];
  return Array.isArray(content) ? content.map(messagePart) : [];
}

function messagePart(part: SdkPart): MessagePart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, content: part.text };
    case "tool-call":
      return { type: "tool_call", id: part.toolCallId, name: part.toolName, arguments: part.input };
    case "tool-result":
      return { type: "tool_call_response", id: part.toolCallId, response: readResponse(part.output) };
    case "file":
    case "image":
      return filePart(part);
    default:
      // The conventions do not define this type, so only the type is recorded.
      return { type: String(part.type) };
  }
}

/** The tool's result; a denial and a content list have their own type and are kept whole. */
function readResponse(output: SdkPart["output"]): unknown {
  return output !== undefined && "value" in output ? output.value : output;
}

/** The address of a file, or only its type: bytes are useless in a trace. */
function filePart({ type, mediaType, data, image }: SdkPart): MessagePart {
  const mime = typeof mediaType === "string" ? mediaType : undefined;
  const described = { modality: findModality(type, mime), mime_type: mime };
  const content = data ?? image;
  const isAddress = content instanceof URL || (typeof content === "string" && /^https?:/.test(content));
  return isAddress ? { type: "uri", ...described, uri: String(content) } : { type: "blob", ...described };
}

function findModality(type: unknown, mediaType: string | undefined): string {
  const [kind] = mediaType?.split("/") ?? [];
  if (kind === "image" || kind === "video" || kind === "audio") return kind;
  return type === "image" ? "image" : "document";
}
