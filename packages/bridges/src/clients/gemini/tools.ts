import type { Tools } from "../../definition/tools.ts";

export const GEMINI_TOOLS: Tools = {
  rows: {
    run_shell_command: { name: "Shell", incidental: ["description"] },
    read_file: { name: "ReadFile", args: { absolute_path: "file_path" } },
    read_many_files: [
      { name: "ReadFile", needs: ["include"], list: { argument: "include", each: "file_path" } },
      { name: "ReadFile", needs: ["paths"], list: { argument: "paths", each: "file_path" } },
    ],
    write_file: { name: "WriteFile" },
    replace: { name: "EditFile" },
    glob: { name: "Glob" },
    grep_search: { name: "Grep" },
    search_file_content: { name: "Grep" },
    invoke_agent: { name: "Subagent", delegates: { type: "agent_name", task: "prompt" } },
  },
  unmapped: {
    "It talks to the person.": ["ask_user", "complete_task", "update_topic"],
    "It keeps notes of the work: plans, tasks, goals.": [
      "tracker_add_dependency",
      "tracker_create_task",
      "tracker_get_task",
      "tracker_list_tasks",
      "tracker_update_task",
      "tracker_visualize",
      "write_todos",
    ],
    "It reads from the network; no file and no command of this machine.": [
      "google_web_search",
      "web_fetch",
      "take_snapshot",
    ],
    "It only reads.": [
      "get_internal_docs",
      "list_background_processes",
      "list_directory",
      "list_mcp_resources",
      "read_background_output",
      "read_mcp_resource",
    ],
    "It changes the mode of the session; what follows has events of its own.": [
      "enter_plan_mode",
      "exit_plan_mode",
    ],
    "It loads instructions for the model; what the model then does has events of its own.": [
      "activate_skill",
    ],
  },
  mcp: {
    prefix: "mcp_",
    separator: "_",
    server: "mcp_context.server_name",
    tool: "mcp_context.tool_name",
  },
};
