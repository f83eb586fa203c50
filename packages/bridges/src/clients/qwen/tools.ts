import type { Tools } from "../../shape/tools.ts";

export const QWEN_TOOLS: Tools = {
  rows: {
    run_shell_command: { name: "Shell" },
    read_file: { name: "ReadFile", args: { absolute_path: "file_path" } },
    read_many_files: { name: "ReadFile", list: { argument: "paths", each: "file_path" } },
    write_file: { name: "WriteFile" },
    edit: { name: "EditFile" },
    replace: { name: "EditFile" },
    glob: { name: "Glob" },
    grep_search: { name: "Grep" },
    search_file_content: { name: "Grep" },
    agent: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
    task: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
