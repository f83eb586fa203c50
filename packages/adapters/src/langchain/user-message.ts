import { type BaseMessage, HumanMessage } from "@langchain/core/messages";

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
