import type { Tools } from "../../shape/tools.ts";

export const QWEN_TOOLS: Tools = {
  rows: {
    run_shell_command: { name: "Shell" },
    monitor: { name: "Shell", incidental: ["description"] },
    read_file: { name: "ReadFile", args: { absolute_path: "file_path" } },
    read_many_files: { name: "ReadFile", list: { argument: "paths", each: "file_path" } },
    write_file: { name: "WriteFile" },
    edit: { name: "EditFile" },
    replace: { name: "EditFile" },
    notebook_edit: { name: "EditFile", args: { notebook_path: "file_path", new_source: "new_string" } },
    glob: { name: "Glob" },
    grep_search: { name: "Grep" },
    search_file_content: { name: "Grep" },
    agent: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
    task: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  // Qwen unpacks it before it calls hooks; a version that does not must not hide the tool.
  wrappers: { tool_call: { name: "name", input: "arguments" } },
  mcp: { prefix: "mcp__", separator: "__" },
};
