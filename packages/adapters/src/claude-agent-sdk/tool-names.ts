import { canonicalTools } from "@tenterhook/protocol/internal";

/** The other names of a tool: the shared one, and the bare name of a tool of an MCP server (`mcp__server__tool`). */
export function findAliases(toolName: string): readonly string[] {
  const shared = canonicalTools(toolName);
  if (shared.length > 0) return shared;
  const bare = /^mcp__.+?__(.+)$/.exec(toolName)?.[1];
  return bare === undefined ? [] : [bare];
}

/** Whether a tool starts a subagent: its input has `prompt` and `subagent_type`. */
export function startsSubagent(toolName: string): boolean {
  return toolName === "Agent" || toolName === "Task";
}
