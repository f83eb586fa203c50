import { createHash } from "node:crypto";
import { TenterhookError } from "@tenterhook/protocol";

/** What model APIs take at most. */
const MAX_NAME = 64;

/** Leaves 30 characters for the tool. */
const MAX_PREFIX = 32;

/**
 * The part of a tool's name that says which server it belongs to: letters, digits, `-` and single `_` inside. So the
 * first `__` of a name always ends the server's part, and no server can take a name in another's space.
 */
export function serverPrefix(server: string): string {
  const prefix = server.replaceAll(/[^A-Za-z0-9-]+/g, "_").replaceAll(/^_|_$/g, "");
  if (prefix === "" || prefix.length > MAX_PREFIX) {
    const shown = JSON.stringify(server.slice(0, 60));
    const rule = `have a letter, a digit or "-", and at most ${MAX_PREFIX} characters`;
    throw new TenterhookError("bad_agent", `The name of MCP server ${shown} must ${rule}.`);
  }
  return prefix;
}

/**
 * A server's tools by the names that a model calls them by: `server__tool`, with `_` for what model APIs refuse. A name that is
 * too long, or that another tool would have too, ends with a hash of the tool's own name, so that it depends neither on
 * the order of the list nor on the day. A tool whose own name is fine always keeps it.
 */
export function nameTools<T extends { readonly name: string }>(
  server: string,
  tools: readonly T[],
): Map<string, T> {
  const prefix = `${serverPrefix(server)}__`;
  const room = MAX_NAME - prefix.length;
  const wishes = new Map<string, number>();
  for (const { name } of tools) wishes.set(safe(name), (wishes.get(safe(name)) ?? 0) + 1);
  const named = new Map<string, T>();
  for (const tool of tools) {
    const wish = safe(tool.name);
    const keeps = wish.length <= room && (wish === tool.name || wishes.get(wish) === 1);
    const name = prefix + (keeps ? wish : `${wish.slice(0, room - 9)}_${hash(tool.name)}`);
    const other = named.get(name);
    // Nobody gets here by chance: a tool is named like another one's hash.
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
