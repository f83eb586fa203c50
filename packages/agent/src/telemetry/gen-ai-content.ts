import type { Attributes } from "@opentelemetry/api";
import { printed } from "@tenterhook/internal";
import type { Message } from "@tenterhook/protocol";
import type { AgentOperation, OperationFacts } from "../run/agent-instrument.ts";
import { finishReasonOf } from "./gen-ai-attributes.ts";
import { type MessagePart, messageParts } from "./message-parts.ts";

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
