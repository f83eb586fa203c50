import { isRecord } from "@tenterhook/internal";
import type { Item } from "./sdk.ts";

/** The user's message in the input of a run: its last message of a user. */
export function readPrompt(input: string | readonly Item[]): string {
  if (typeof input === "string") return input;
  const content = input.findLast(isUser)?.content;
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return (content as readonly unknown[])
    .map(readText)
    .filter((text) => text !== undefined)
    .join("\n");
}

/** The input with another message of the user. Parts that are not text stay. */
export function changeText(input: string | readonly Item[], text: string): string | readonly Item[] {
  if (typeof input === "string") return text;
  const at = input.findLastIndex(isUser);
  const item = input[at];
  if (item === undefined) return [...input, { type: "message", role: "user", content: text }];
  const { content } = item;
  const changed = Array.isArray(content)
    ? [
        { type: "input_text", text },
        ...(content as readonly unknown[]).filter((part) => readText(part) === undefined),
      ]
    : text;
  return input.with(at, { ...item, content: changed });
}

function isUser(item: Item): boolean {
  return item.role === "user";
}

function readText(part: unknown): string | undefined {
  return isRecord(part) && part.type === "input_text" ? String(part.text) : undefined;
}
