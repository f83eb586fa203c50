import { patchCalls } from "../../definition/patch.ts";
import type { Tools } from "../../definition/tools.ts";

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
  unmapped: {
    "It talks to the person.": ["question"],
    "It keeps notes of the work: plans, tasks, goals.": ["todoread", "todowrite"],
    "It reads from the network; no file and no command of this machine.": [
      "codesearch",
      "webfetch",
      "websearch",
    ],
    "It only reads.": ["invalid", "lsp"],
    "It changes the mode of the session; what follows has events of its own.": ["plan_enter", "plan_exit"],
    "It loads instructions for the model; what the model then does has events of its own.": ["skill"],
  },
  mcp: { prefix: "", separator: "_" },
};
