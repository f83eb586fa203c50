import { patchCalls } from "../../definition/patch.ts";
import type { ToolRow, Tools } from "../../definition/tools.ts";

const WRITE: ToolRow = { name: "WriteFile", args: { path: "file_path", file_text: "content" } };
const EDIT: ToolRow = {
  name: "EditFile",
  args: { path: "file_path", old_str: "old_string", new_str: "new_string" },
};
/** With models that write patches, the input is the text of one; with PascalCase events the tool is then still named Edit. */
const PATCH: ToolRow = { name: "EditFile", split: patchCalls };
const PATCH_ALONE: ToolRow = { ...PATCH, needs: ["input"], alone: true };
const READ: ToolRow = { name: "ReadFile", args: { path: "file_path" } };
const TASK: ToolRow = { name: "Subagent", delegates: { type: "agent_type", task: "prompt" } };

export const COPILOT_TOOLS: Tools = {
  rows: {
    bash: { name: "Shell", incidental: ["description"] },
    powershell: { name: "Shell" },
    view: READ,
    create: WRITE,
    edit: [PATCH_ALONE, EDIT],
    apply_patch: PATCH,
    // What is typed into a shell that runs.
    write_bash: { name: "Shell", args: { input: "command" } },
    glob: { name: "Glob" },
    grep: { name: "Grep" },
    task: TASK,
    // With PascalCase events the tools have Claude's names.
    Bash: { name: "Shell", incidental: ["description"] },
    Read: READ,
    Write: WRITE,
    Edit: [PATCH_ALONE, EDIT],
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Task: TASK,
    Agent: TASK,
  },
  unmapped: {
    "It talks to the person.": ["ask_user", "report_intent"],
    "It keeps notes of the work: plans, tasks, goals.": ["update_todo"],
    "It reads from the network; no file and no command of this machine.": ["web_fetch"],
    "It asks about, writes to or ends agents and commands that run already; their tools have events of their own.":
      ["list_agents", "list_bash", "read_agent", "stop_bash", "write_agent"],
    "It only reads.": ["fetch_copilot_cli_documentation", "read_bash"],
    "It changes the mode of the session; what follows has events of its own.": ["exit_plan_mode"],
    "It loads instructions for the model; what the model then does has events of its own.": ["skill"],
    "It writes only to the client's own store.": ["session_store_sql", "sql", "store_memory"],
  },
  mcp: { prefix: "", separator: "-" },
};
