import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

/** A piece of a tool's result. `data` is base64. */
export type McpBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly mediaType: string; readonly data: string }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mediaType?: string | undefined;
      readonly text?: string | undefined;
      readonly data?: string | undefined;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly description?: string | undefined;
      readonly mediaType?: string | undefined;
    };

/**
 * The value of a tool's result: its structured content if there is any, a single text, or the list of blocks. Structured content with
 * images or other blocks is returned together with them; text blocks beside it only repeat it, as the protocol requires.
 */
export function resultValue({ content, structuredContent }: CallToolResult): unknown {
  const blocks = content.map(block);
  if (structuredContent !== undefined) {
    const onlyTexts = blocks.every(({ type }) => type === "text");
    return onlyTexts ? structuredContent : { structuredContent, content: blocks };
  }
  if (blocks.length === 0) return "";
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" ? only.text : blocks;
}

/** All texts of a result. */
export function resultText({ content }: CallToolResult): string {
  return content
    .map((each) => (each.type === "text" ? each.text : ""))
    .filter((text) => text !== "")
    .join("\n");
}

/** Without annotations and `_meta`, which are not for the model. */
function block(content: ContentBlock): McpBlock {
  switch (content.type) {
    case "text":
      return { type: "text", text: content.text };
    case "image":
    case "audio":
      return { type: content.type, mediaType: content.mimeType, data: content.data };
    case "resource": {
      const { uri, mimeType } = content.resource;
      const base = { type: "resource", uri, ...(mimeType !== undefined && { mediaType: mimeType }) } as const;
      return "text" in content.resource
        ? { ...base, text: content.resource.text }
        : { ...base, data: content.resource.blob };
    }
    case "resource_link": {
      const { uri, name, description, mimeType } = content;
      return {
        type: "resource_link",
        uri,
        name,
        ...(description !== undefined && { description }),
        ...(mimeType !== undefined && { mediaType: mimeType }),
      };
    }
  }
}
