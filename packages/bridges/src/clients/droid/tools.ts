import { patchCalls } from "../../normalise/patch.ts";
import type { Tools } from "../../shape/tools.ts";

export const DROID_TOOLS: Tools = {
  rows: {
    Execute: { name: "Shell", incidental: ["summary", "riskLevel", "riskLevelReason"] },
    Read: { name: "ReadFile" },
    Create: { name: "WriteFile" },
    Edit: { name: "EditFile", args: { old_str: "old_string", new_str: "new_string" } },
    ApplyPatch: { name: "EditFile", split: patchCalls },
    MultiEdit: { name: "EditFile" },
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Task: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  mcp: { prefix: "", separator: "___" },
};
