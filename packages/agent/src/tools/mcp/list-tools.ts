import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/client";
import { shortened } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { jsonProblem } from "../json-problem.ts";
import { type ConnectedServer, NO_TIMEOUT_MS } from "./connection.ts";
import { serverPrefix } from "./parse-mcp-servers.ts";

/** The limits of one server's list, which is untrusted and sent to a model. */
const MAX_TOOLS = 512;
const MAX_PAGES = 64;
const MAX_NAME = 256;
const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 64 * 1024;
const MAX_NOTICES = 32;

/** The limit of model APIs for the name of a tool. */
const MAX_OFFERED_NAME = 64;

export interface ListedTools {
  /** By their names for the model. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Warnings about tools that were shortened or dropped. */
  readonly notices: readonly string[];
}

/**
 * The tools of a server from all pages, or only the allowed ones. Throws `bad_agent` if the server does not have an allowed tool.
 */
export async function listTools(
  server: ConnectedServer,
  allowed: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ListedTools> {
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
  return { tools: nameTools(server.name, tools), notices };
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
    const answer = await client.request({ method: "tools/list", params }, { signal, timeout: NO_TIMEOUT_MS });
    yield* answer.tools;
    cursor = answer.nextCursor;
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
