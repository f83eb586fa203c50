import { patchCalls } from "../../normalise/patch.ts";
import type { Tools } from "../../shape/tools.ts";

export const OPENCODE_TOOLS: Tools = {
  rows: {
    bash: { name: "Shell", incidental: ["description"] },
    read: { name: "ReadFile", args: { filePath: "file_path" } },
    write: { name: "WriteFile", args: { filePath: "file_path" } },
    edit: {
      name: "EditFile",
      args: { filePath: "file_path", oldString: "old_string", newString: "new_string" },
    },
    apply_patch: { name: "EditFile", split: patchCalls },
    glob: { name: "Glob" },
    grep: { name: "Grep" },
    task: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  mcp: { prefix: "", separator: "_" },
};
