import { snapshot } from "@tenterhook/engine/host";
import type { Message } from "@tenterhook/protocol";
import type { Item } from "./sdk.ts";

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
