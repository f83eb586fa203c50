/** A part of a message in the schema of the conventions: `type`, and the fields of that type. */
export type MessagePart = { readonly type: string } & Readonly<Record<string, unknown>>;

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
