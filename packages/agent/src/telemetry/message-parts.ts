/** A part of a message in the conventions' schema: `type`, and what that type has. */
export type MessagePart = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A part of a message in the AI SDK's format, as far as it is read here. */
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

/** The content of a message of the conversation, as the conventions write it. */
export function messageParts(content: unknown): readonly MessagePart[] {
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
      return { type: "tool_call_response", id: part.toolCallId, response: responseOf(part.output) };
    case "file":
    case "image":
      return filePart(part);
    default:
      // Of a kind that the conventions have no word for: that it was there, not what it was.
      return { type: String(part.type) };
  }
}

/** What the tool gave; a denial or a list of contents says itself what it is. */
function responseOf(output: SdkPart["output"]): unknown {
  return output !== undefined && "value" in output ? output.value : output;
}

/** Where a file is, or that there was one: its bytes are no use in a trace. */
function filePart({ type, mediaType, data, image }: SdkPart): MessagePart {
  const mime = typeof mediaType === "string" ? mediaType : undefined;
  const described = { modality: modalityOf(type, mime), mime_type: mime };
  const held = data ?? image;
  const isAddress = held instanceof URL || (typeof held === "string" && /^https?:/.test(held));
  return isAddress ? { type: "uri", ...described, uri: String(held) } : { type: "blob", ...described };
}

function modalityOf(type: unknown, mediaType: string | undefined): string {
  const [kind] = mediaType?.split("/") ?? [];
  if (kind === "image" || kind === "video" || kind === "audio") return kind;
  return type === "image" ? "image" : "document";
}
