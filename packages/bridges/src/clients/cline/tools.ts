import { patchCalls } from "../../definition/patch.ts";
import type { Tools } from "../../definition/tools.ts";

const EDITED = { path: "file_path", old_text: "old_string", new_text: "new_string" };

export const CLINE_TOOLS: Tools = {
  rows: {
    run_commands: { name: "Shell", list: { argument: "commands", each: "command" } },
    execute_command: { name: "Shell" },
    read_files: [
      { name: "ReadFile", needs: ["files"], list: { argument: "files", each: "file_path" } },
      { name: "ReadFile", args: { path: "file_path" } },
    ],
    editor: [
      { name: "EditFile", needs: ["old_text"], args: EDITED },
      { name: "EditFile", needs: ["insert_line"], args: EDITED },
      { name: "WriteFile", args: { path: "file_path", new_text: "content" } },
    ],
    apply_patch: { name: "EditFile", split: patchCalls },
    spawn_agent: { name: "Subagent", delegates: { type: "agent", task: "task" } },
  },
  unmapped: {
    "It talks to the person.": ["ask_question", "submit_and_exit"],
    "It reads from the network; no file and no command of this machine.": ["fetch_web_content"],
    "It asks about, writes to or ends agents and commands that run already; their tools have events of their own.":
      [
        "team_attach_outcome_fragment",
        "team_await_runs",
        "team_broadcast",
        "team_cancel_run",
        "team_cleanup",
        "team_create_outcome",
        "team_finalize_outcome",
        "team_list_outcomes",
        "team_list_runs",
        "team_mission_log",
        "team_read_mailbox",
        "team_review_outcome_fragment",
        "team_run_task",
        "team_send_message",
        "team_shutdown_teammate",
        "team_spawn_teammate",
        "team_status",
        "team_task",
      ],
    "It only reads.": ["search_codebase"],
    "It loads instructions for the model; what the model then does has events of its own.": ["skills"],
  },
  mcp: { prefix: "", separator: "__" },
};
