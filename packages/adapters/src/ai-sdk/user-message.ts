import type { PromptMessage } from "./sdk-types.ts";

/** The text of the last message of the user, which `before_agent` is about. */
export function readUserText(prompt: unknown, messages: unknown): string {
  if (typeof prompt === "string") return prompt;
  const list = (Array.isArray(prompt) ? prompt : messages) as readonly PromptMessage[] | undefined;
  const { content } = list?.findLast(({ role }) => role === "user") ?? { content: "" };
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [String(part.text)] : [])).join("\n");
}

/** The messages with another text of the user's last message before `end`; parts that are not text stay. */
export function replaceUserText(
  messages: readonly PromptMessage[],
  text: string,
  end = messages.length,
): readonly PromptMessage[] {
  const index = messages.slice(0, end).findLastIndex(({ role }) => role === "user");
  const message = messages[index];
  if (message === undefined) return [...messages, { role: "user", content: text }];
  const { content } = message;
  const others = typeof content === "string" ? [] : content.filter((part) => part.type !== "text");
  const changed = others.length === 0 ? text : [{ type: "text", text }, ...others];
  return messages.with(index, { ...message, content: changed });
}
