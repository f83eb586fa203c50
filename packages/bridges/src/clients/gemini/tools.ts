import type { Tools } from "../../shape/tools.ts";

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
  mcp: {
    prefix: "mcp_",
    separator: "_",
    server: "mcp_context.server_name",
    tool: "mcp_context.tool_name",
  },
};
