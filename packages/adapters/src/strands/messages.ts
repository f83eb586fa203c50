import type * as sdk from "@strands-agents/sdk";
import { snapshot } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import type { Message, ToolUse } from "@tenterhook/protocol";

type Sdk = typeof sdk;

/** What hooks were given for a message of an agent: the same as long as the message is the same. */
const readings = new WeakMap<sdk.Message, Message>();
/** The messages of agents that hooks were given, with the ones of Strands that they stand for. */
const originals = new WeakMap<Message, sdk.Message>();

/** A message as hooks see it: a text alone is a string, other content is the data of its blocks. */
export function readMessage({ role, content }: sdk.Message): Message {
  const [first] = content;
  return snapshot({
    role,
    content:
      first?.type === "textBlock" && content.length === 1
        ? first.text
        : content.map((block) => block.toJSON()),
  });
}

/** The same for the conversation of an agent, which is read at each step: known messages are not read again. */
export function readConversation(messages: readonly sdk.Message[]): Message[] {
  return messages.map((message) => {
    let reading = readings.get(message);
    if (reading === undefined) {
      reading = readMessage(message);
      readings.set(message, reading);
      originals.set(reading, message);
    }
    return reading;
  });
}

/** Forgets what hooks were given: the message was changed in place. */
export function forgetReading(message: sdk.Message): void {
  readings.delete(message);
}

/** The messages of Strands for those that hooks returned; those that they did not change are the same objects. */
export function writeMessages(
  { Message: MessageClass, TextBlock }: Sdk,
  messages: readonly Message[],
  known: Pick<typeof originals, "get"> = originals,
): sdk.Message[] {
  return messages.map((message) => {
    const original = known.get(message);
    if (original !== undefined) return original;
    const { role, content } = message;
    if (role !== "user" && role !== "assistant")
      throw new Error(`a message has the role "${role}", and Strands has only user and assistant.`);
    return typeof content === "string"
      ? new MessageClass({ role, content: [new TextBlock(content)] })
      : MessageClass.fromMessageData({ role, content });
  });
}

/** The text of a message, its blocks joined. */
export function readText({ content }: sdk.Message): string {
  let text = "";
  for (const block of content) if (block.type === "textBlock") text += block.text;
  return text;
}

/** The tool calls of an answer. */
export function readToolUses({ content }: sdk.Message): ToolUse[] {
  const uses: ToolUse[] = [];
  for (const block of content) {
    if (block.type !== "toolUseBlock") continue;
    const { toolUseId: id, name, input } = block;
    uses.push({ id, name, input: isRecord(input) ? input : {} });
  }
  return uses;
}

/** Whether a message contains the results of tool calls. */
export function hasToolResults({ content }: sdk.Message): boolean {
  return content.some(({ type }) => type === "toolResultBlock");
}

/** Whether a message contains tool calls. */
export function hasToolUses({ content }: sdk.Message): boolean {
  return content.some(({ type }) => type === "toolUseBlock");
}
