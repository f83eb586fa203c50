import type { Tools } from "../../shape/tools.ts";

export const KIMI_TOOLS: Tools = {
  rows: {
    Bash: { name: "Shell" },
    Shell: { name: "Shell" },
    Read: { name: "ReadFile", args: { path: "file_path" } },
    Write: { name: "WriteFile", args: { path: "file_path" } },
    Edit: { name: "EditFile", args: { path: "file_path" } },
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Agent: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
    AgentSwarm: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
