import type { Tools } from "../../shape/tools.ts";

export const CLAUDE_TOOLS: Tools = {
  rows: {
    Bash: { name: "Shell", incidental: ["description"] },
    // Without a command it watches a WebSocket.
    Monitor: { name: "Shell", needs: ["command"], incidental: ["description"] },
    Read: { name: "ReadFile" },
    Write: { name: "WriteFile" },
    Edit: { name: "EditFile" },
    MultiEdit: { name: "EditFile" },
    NotebookEdit: { name: "EditFile", args: { notebook_path: "file_path", new_source: "new_string" } },
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Agent: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
    Task: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
