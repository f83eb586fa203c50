// What frameworks write in several shapes: messages and the inputs of tool calls.

import { isRecord } from "@tenterhook/internal";

/** A message with a `role`, and with a `content` that is a text or a list of parts. */
type MessageLike = Readonly<Record<string, unknown>>;

/** The text of the last message of the user, which `before_agent` is about. `type` is that of the parts with text. */
export function readUserText(messages: readonly MessageLike[], type = "text"): string {
  const content = messages.findLast(isUser)?.content ?? "";
  if (!Array.isArray(content)) return String(content);
  return content.flatMap((part) => (isText(part, type) ? [String(part.text)] : [])).join("\n");
}

/** The messages with another text of the user's last one, or with a new one; parts that are not text stay. */
export function replaceUserText<M extends MessageLike>(
  messages: readonly M[],
  text: string,
  type = "text",
): readonly M[] {
  const index = messages.findLastIndex(isUser);
  if (index < 0) return [...messages, { role: "user", content: text } as unknown as M];
  const message = messages[index] as M;
  const { content } = message;
  const others = Array.isArray(content) ? content.filter((part) => !isText(part, type)) : [];
  const changed = others.length === 0 ? text : [{ type, text }, ...others];
  return messages.with(index, { ...message, content: changed });
}

function isUser({ role }: MessageLike): boolean {
  return role === "user";
}

function isText(part: unknown, type: string): part is { readonly text: unknown } {
  return isRecord(part) && part.type === type;
}

/** The input of a tool call, which models write as JSON: an empty object where it is something else. */
export function parseInput(input: unknown): Record<string, unknown> {
  if (isRecord(input)) return input;
  try {
    const parsed: unknown = JSON.parse(String(input));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
