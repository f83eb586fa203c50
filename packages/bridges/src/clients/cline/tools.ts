import { patchCalls } from "../../normalise/patch.ts";
import type { Tools } from "../../shape/tools.ts";

const EDITED = { path: "file_path", old_text: "old_string", new_text: "new_string" };

export const CLINE_TOOLS: Tools = {
  rows: {
    run_commands: { name: "Shell", list: { argument: "commands", each: "command" } },
    execute_command: { name: "Shell" },
    read_files: [
      { name: "ReadFile", needs: ["files"], list: { argument: "files", each: "file_path" } },
      { name: "ReadFile", args: { path: "file_path" } },
    ],
    editor: [
      { name: "EditFile", needs: ["old_text"], args: EDITED },
      { name: "EditFile", needs: ["insert_line"], args: EDITED },
      { name: "WriteFile", args: { path: "file_path", new_text: "content" } },
    ],
    apply_patch: { name: "EditFile", split: patchCalls },
    spawn_agent: { name: "Subagent", delegates: { type: "agent", task: "task" } },
  },
  mcp: { prefix: "", separator: "__" },
};
