import { createHash } from "node:crypto";
import type { CallToolResult, ContentBlock, Tool } from "@modelcontextprotocol/client";
import { shortened } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { jsonProblem } from "../json-problem.ts";
import type { AgentTool, AgentTools, ToolCallContext } from "../tool.ts";
import { ABORTED_RESPONSE, type ConnectedServer, mcpFailure, NO_TIMEOUT_MS } from "./connection.ts";
import { type McpServerConfig, serverPrefix } from "./parse-mcp-servers.ts";

/** The limits of one server's list, which is untrusted and sent to a model. */
const MAX_TOOLS = 512;
const MAX_PAGES = 64;
const MAX_NAME = 256;
const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 64 * 1024;
const MAX_NOTICES = 32;

/** The limit of model APIs for the name of a tool. */
const MAX_OFFERED_NAME = 64;

/** The tools of servers, as tools of an agent. */
export interface ServerTools {
  /** By their names for the model: `server__tool`. */
  readonly tools: AgentTools;
  /** Warnings about tools that were shortened or dropped. */
  readonly notices: readonly string[];
}

/**
 * The tools of a server from all pages, or only the allowed ones. Throws `bad_agent` if the server does not have an allowed tool.
 */
export async function listTools(
  server: ConnectedServer,
  { tools: allowed, timeoutMs }: McpServerConfig,
  signal: AbortSignal,
): Promise<ServerTools> {
  const offered = new Set<string>();
  const tools: Tool[] = [];
  const notices: string[] = [];
  const notice = (sentence: string) => {
    const text = notices.length < MAX_NOTICES ? sentence : "there are more problems with its list of tools.";
    if (notices.length <= MAX_NOTICES) notices.push(`MCP server ${quote(server.name)}: ${text}`);
  };
  for await (const tool of everyTool(server, signal, notice)) {
    if (allowed !== undefined && !allowed.includes(tool.name)) {
      if (offered.size < MAX_TOOLS) offered.add(tool.name);
      continue;
    }
    const refused = offered.has(tool.name) ? "it is listed twice" : whyRefused(tool);
    if (refused !== undefined) notice(`the tool ${quote(tool.name)} is left out, because ${refused}.`);
    else if (tools.length < MAX_TOOLS) tools.push(withShortDescription(tool, notice));
    else {
      notice(`only the first ${MAX_TOOLS} tools are offered. Name those that are needed in its "tools".`);
      break;
    }
    offered.add(tool.name);
  }
  const missing = allowed?.find((name) => !offered.has(name));
  if (missing !== undefined) throw unknownTool(server.name, missing, [...offered]);
  const named = [...nameTools(server.name, tools)];
  const entries = named.map(([name, tool]) => [name, mcpTool(server, tool, timeoutMs)]);
  return { tools: Object.fromEntries(entries), notices };
}

/** Page by page, until the last page or the limit. */
async function* everyTool(
  { client }: ConnectedServer,
  signal: AbortSignal,
  notice: (sentence: string) => void,
): AsyncGenerator<Tool> {
  // A server without tools would answer with an error.
  if (client.getServerCapabilities()?.tools === undefined) return;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const list = await client.request({ method: "tools/list", params }, { signal, timeout: NO_TIMEOUT_MS });
    yield* list.tools;
    cursor = list.nextCursor;
    if (cursor === undefined) return;
  }
  notice(`its list of tools has more than ${MAX_PAGES} pages; the rest was not read.`);
}

function whyRefused({ name, inputSchema }: Tool): string | undefined {
  if (name === "") return "it has no name";
  if (name.length > MAX_NAME) return `its name is longer than ${MAX_NAME} characters`;
  const excess = jsonProblem(inputSchema, "its input schema");
  if (excess !== undefined) return excess;
  const size = JSON.stringify(inputSchema).length;
  return size > MAX_SCHEMA ? `its input schema has ${size} characters, of at most ${MAX_SCHEMA}` : undefined;
}

function withShortDescription(tool: Tool, notice: (sentence: string) => void): Tool {
  const length = tool.description?.length ?? 0;
  if (tool.description === undefined || length <= MAX_DESCRIPTION) return tool;
  notice(
    `the description of the tool ${quote(tool.name)} is cut from ${length} to ${MAX_DESCRIPTION} characters.`,
  );
  return { ...tool, description: shortened(tool.description, MAX_DESCRIPTION) };
}

function unknownTool(server: string, missing: string, offered: readonly string[]): TenterhookError {
  const some = offered.slice(0, 20).map(quote).join(", ");
  const more = offered.length > 20 ? ", …" : "";
  const hint = offered.length === 0 ? "It has none." : `It has ${some}${more}.`;
  return new TenterhookError("bad_agent", `MCP server ${quote(server)} has no tool ${quote(missing)}.`, {
    hint,
  });
}

function quote(name: string): string {
  return JSON.stringify(shortened(name, 60));
}

/**
 * A server's tools by their names for the model: `server__tool`, with `_` for characters that model APIs reject. A name that is too
 * long, or that collides with another tool, ends with a hash of the tool's own name, so that it is stable and independent of the
 * order of the list. A valid name is always kept.
 */
export function nameTools<T extends { readonly name: string }>(
  server: string,
  tools: readonly T[],
): Map<string, T> {
  const prefix = `${serverPrefix(server)}__`;
  const room = MAX_OFFERED_NAME - prefix.length;
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(safe(name), (counts.get(safe(name)) ?? 0) + 1);
  const named = new Map<string, T>();
  for (const tool of tools) {
    const wanted = safe(tool.name);
    const keeps = wanted.length <= room && (wanted === tool.name || counts.get(wanted) === 1);
    const name = prefix + (keeps ? wanted : `${wanted.slice(0, room - 9)}_${hash(tool.name)}`);
    const other = named.get(name);
    if (other !== undefined) {
      // Only on purpose: a tool is named like another one's hash.
      const [first, second] = [other, tool].map((each) => JSON.stringify(each.name));
      const clash = `MCP server ${JSON.stringify(server)}: its tools ${first} and ${second} cannot be told apart.`;
      throw new TenterhookError("mcp_failed", clash);
    }
    named.set(name, tool);
  }
  return named;
}

function safe(tool: string): string {
  return tool.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

function hash(tool: string): string {
  return createHash("sha256").update(tool).digest("hex").slice(0, 8);
}

/**
 * A server's tool as a tool of the agent. Its calls reject with `tool_failed` if the server reports a failure, `mcp_failed` if the
 * server has disconnected, and the signal's reason when that fires, as it does after the timeout.
 */
function mcpTool(
  { name, sdk, client, connection }: ConnectedServer,
  tool: Tool,
  timeoutMs: number | undefined,
): AgentTool {
  const title = `The tool ${JSON.stringify(tool.name)} of MCP server ${JSON.stringify(name)}`;
  // Without its output schema: a result that does not match it must not fail the call, nor a check of it block the process.
  const { outputSchema: _, ...toolDefinition } = tool;
  return {
    description: tool.description,
    inputSchema: tool.inputSchema,
    timeoutMs,
    async execute(input: Record<string, unknown>, { abortSignal }: Pick<ToolCallContext, "abortSignal">) {
      abortSignal.throwIfAborted();
      if (connection.isClosed) throw mcpFailure(name, connection, new Error("it was closed"));
      const params = { name: tool.name, arguments: input };
      const options = { timeout: NO_TIMEOUT_MS, signal: abortSignal, toolDefinition };
      const result = await client.callTool(params, options).catch((error: unknown) => {
        abortSignal.throwIfAborted();
        throw callFailure(error);
      });
      if (result.isError !== true) return resultValue(result);
      throw new TenterhookError(
        "tool_failed",
        `${title} failed: ${resultText(result) || "it does not say why"}`,
      );
    },
  };

  function callFailure(cause: unknown): TenterhookError {
    // The server answered with an error, so the connection works.
    if (sdk.ProtocolError.isInstance(cause) && cause.message !== ABORTED_RESPONSE) {
      return new TenterhookError("tool_failed", `${title} failed: ${cause.message}`, { cause });
    }
    return mcpFailure(name, connection, cause);
  }
}

/** A piece of a tool's result. `data` is base64. */
type McpBlock =
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
  const blocks = content.map(readBlock);
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
function readBlock(content: ContentBlock): McpBlock {
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
