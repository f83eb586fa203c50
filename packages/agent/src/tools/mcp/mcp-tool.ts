import type { CallToolResult, ContentBlock, Tool } from "@modelcontextprotocol/client";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentTool, ToolCallContext } from "../tool.ts";
import { type ConnectedServer, mcpFailure, NO_TIMEOUT_MS } from "./connection.ts";
import { ABORTED_RESPONSE } from "./http-connection.ts";

/**
 * A server's tool as a tool of the agent. Its calls reject with `tool_failed` if the server reports a failure, `tool_timeout` after
 * the timeout, `mcp_failed` if the server has disconnected, and the signal's reason when that fires.
 */
export function mcpTool(server: ConnectedServer, tool: Tool, timeoutMs: number | undefined): AgentTool {
  // Without its output schema: a result that does not match it must not fail the call, nor a check of it block the process.
  const { outputSchema: _, ...toolDefinition } = tool;
  return {
    description: tool.description,
    inputSchema: tool.inputSchema,
    timeoutMs,
    async execute(input: Record<string, unknown>, { abortSignal }: Pick<ToolCallContext, "abortSignal">) {
      abortSignal.throwIfAborted();
      if (server.connection.isClosed)
        throw mcpFailure(server.name, server.connection, new Error("it was closed"));
      const params = { name: tool.name, arguments: input };
      // Without its own timeout, the agent's timeout applies, through the signal.
      const options = { timeout: timeoutMs ?? NO_TIMEOUT_MS, signal: abortSignal, toolDefinition };
      const result = await server.client.callTool(params, options).catch((error: unknown) => {
        abortSignal.throwIfAborted();
        throw callFailure(server, tool.name, timeoutMs, error);
      });
      if (result.isError === true) throw toolFailure(server, tool.name, result);
      return resultValue(result);
    },
  };
}

function toolFailure({ name }: ConnectedServer, tool: string, result: CallToolResult): TenterhookError {
  const text = resultText(result) || "it does not say why";
  return new TenterhookError("tool_failed", `${which(name, tool)} failed: ${text}`);
}

function callFailure(
  server: ConnectedServer,
  tool: string,
  timeoutMs: number | undefined,
  cause: unknown,
): TenterhookError {
  const { ProtocolError, SdkError, SdkErrorCode } = server.sdk;
  if (SdkError.isInstance(cause) && cause.code === SdkErrorCode.RequestTimeout) {
    const message = `${which(server.name, tool)} took longer than ${timeoutMs} ms.`;
    return new TenterhookError("tool_timeout", message, { cause });
  }
  // The server answered with an error, so the connection works.
  if (ProtocolError.isInstance(cause) && cause.message !== ABORTED_RESPONSE) {
    return new TenterhookError("tool_failed", `${which(server.name, tool)} failed: ${cause.message}`, {
      cause,
    });
  }
  return mcpFailure(server.name, server.connection, cause);
}

function which(server: string, tool: string): string {
  return `The tool ${JSON.stringify(tool)} of MCP server ${JSON.stringify(server)}`;
}

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
function resultValue({ content, structuredContent }: CallToolResult): unknown {
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
function resultText({ content }: CallToolResult): string {
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
