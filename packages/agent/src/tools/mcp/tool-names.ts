import { createHash } from "node:crypto";
import { TenterhookError } from "@tenterhook/protocol";

/** The limit of model APIs. */
const MAX_NAME = 64;

/** Leaves 30 characters for the tool. */
const MAX_PREFIX = 32;

/**
 * The prefix of a server's tool names: letters, digits, `-` and single `_` inside. So the first `__` of a name always ends the
 * server's part, and no server can use another's prefix.
 */
export function serverPrefix(server: string): string {
  const prefix = server.replaceAll(/[^A-Za-z0-9-]+/g, "_").replaceAll(/^_|_$/g, "");
  if (prefix === "" || prefix.length > MAX_PREFIX) {
    const quoted = JSON.stringify(server.slice(0, 60));
    const rule = `have a letter, a digit or "-", and at most ${MAX_PREFIX} characters`;
    throw new TenterhookError("bad_agent", `The name of MCP server ${quoted} must ${rule}.`);
  }
  return prefix;
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
  const room = MAX_NAME - prefix.length;
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(safe(name), (counts.get(safe(name)) ?? 0) + 1);
  const named = new Map<string, T>();
  for (const tool of tools) {
    const wanted = safe(tool.name);
    const keeps = wanted.length <= room && (wanted === tool.name || counts.get(wanted) === 1);
    const name = prefix + (keeps ? wanted : `${wanted.slice(0, room - 9)}_${hash(tool.name)}`);
    const other = named.get(name);
    // Only on purpose: a tool is named like another one's hash.
    if (other !== undefined) throw new TenterhookError("mcp_failed", clash(server, other.name, tool.name));
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

function clash(server: string, one: string, other: string): string {
  const [named, first, second] = [server, one, other].map((name) => JSON.stringify(name));
  return `MCP server ${named}: its tools ${first} and ${second} cannot be told apart.`;
}
