import { patchCalls } from "../../normalise/patch.ts";
import type { Tools } from "../../shape/tools.ts";

export const CODEX_TOOLS: Tools = {
  rows: {
    Bash: { name: "Shell" },
    exec_command: { name: "Shell", args: { cmd: "command" } },
    shell: { name: "Shell" },
    apply_patch: { name: "EditFile", split: patchCalls },
    spawn_agent: { name: "Subagent", delegates: { type: "agent_type", task: "message" } },
    Agent: { name: "Subagent", delegates: { type: "agent_type", task: "message" } },
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
