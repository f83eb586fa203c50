import type { ToolRow, Tools } from "../../shape/tools.ts";

const WRITE: ToolRow = { name: "WriteFile", args: { path: "file_path", file_text: "content" } };
const EDIT: ToolRow = {
  name: "EditFile",
  args: { path: "file_path", old_str: "old_string", new_str: "new_string" },
};
const READ: ToolRow = { name: "ReadFile", args: { path: "file_path" } };
const TASK: ToolRow = { name: "Subagent", delegates: { type: "agent_type", task: "prompt" } };

export const COPILOT_TOOLS: Tools = {
  rows: {
    bash: { name: "Shell", incidental: ["description"] },
    powershell: { name: "Shell" },
    view: READ,
    create: WRITE,
    edit: EDIT,
    glob: { name: "Glob" },
    grep: { name: "Grep" },
    task: TASK,
    // With PascalCase events the tools have Claude's names.
    Bash: { name: "Shell", incidental: ["description"] },
    Read: READ,
    Write: WRITE,
    Edit: EDIT,
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Task: TASK,
    Agent: TASK,
  },
  mcp: { prefix: "", separator: "-" },
};
