/** The tools of Claude Code that matchers also find by the name that all agents share. */
const ALIASES: Readonly<Record<string, string>> = {
  Bash: "Shell",
  Monitor: "Shell",
  Read: "ReadFile",
  Write: "WriteFile",
  Edit: "EditFile",
  MultiEdit: "EditFile",
  NotebookEdit: "EditFile",
  Agent: "Subagent",
  Task: "Subagent",
};

/** The other names of a tool: the shared one, and the bare name of a tool of an MCP server (`mcp__server__tool`). */
export function findAliases(toolName: string): readonly string[] {
  const alias = Object.hasOwn(ALIASES, toolName) ? ALIASES[toolName] : undefined;
  if (alias !== undefined) return [alias];
  const bare = /^mcp__.+?__(.+)$/.exec(toolName)?.[1];
  return bare === undefined ? [] : [bare];
}

/** Whether a tool starts a subagent: its input has `prompt` and `subagent_type`. */
export function startsSubagent(toolName: string): boolean {
  return toolName === "Agent" || toolName === "Task";
}
