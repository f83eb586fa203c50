import { patchCalls } from "../../definition/patch.ts";
import type { Tools } from "../../definition/tools.ts";

export const CODEX_TOOLS: Tools = {
  rows: {
    Bash: { name: "Shell" },
    exec_command: { name: "Shell", args: { cmd: "command" } },
    shell: { name: "Shell" },
    shell_command: { name: "Shell" },
    apply_patch: { name: "EditFile", split: patchCalls },
    spawn_agent: { name: "Subagent", delegates: { type: "agent_type", task: "message" } },
    Agent: { name: "Subagent", delegates: { type: "agent_type", task: "message" } },
  },
  unmapped: {
    "It talks to the person.": ["request_user_input", "request_permissions", "request_plugin_install"],
    "It keeps notes of the work: plans, tasks, goals.": [
      "create_goal",
      "get_goal",
      "update_goal",
      "update_plan",
    ],
    "It reads from the network; no file and no command of this machine.": ["web_search"],
    "It asks about, writes to or ends agents and commands that run already; their tools have events of their own.":
      [
        "close_agent",
        "followup_task",
        "list_agents",
        "resume_agent",
        "send_input",
        "send_message",
        "wait_agent",
      ],
    "It only reads.": [
      "list_mcp_resource_templates",
      "list_mcp_resources",
      "read_mcp_resource",
      "tool_search",
      "view_image",
    ],
    "Codex does not call hooks for it; the start of a program that runs what is typed is refused instead.": [
      "write_stdin",
    ],
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
