import { patchCalls } from "../../definition/patch.ts";
import type { Tools } from "../../definition/tools.ts";

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
  unmapped: {
    "It talks to the person.": ["AskUser"],
    "It keeps notes of the work: plans, tasks, goals.": ["TodoWrite"],
    "It reads from the network; no file and no command of this machine.": ["FetchUrl", "WebSearch"],
    "It only reads.": ["LS"],
    "It changes the mode of the session; what follows has events of its own.": ["ExitSpecMode"],
    "It loads instructions for the model; what the model then does has events of its own.": ["Skill"],
    "It writes a description of an agent into the client's own folder.": ["GenerateDroid"],
  },
  mcp: { prefix: "", separator: "___" },
};
