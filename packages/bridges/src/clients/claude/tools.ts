import type { Tools } from "../../definition/tools.ts";

export const CLAUDE_TOOLS: Tools = {
  rows: {
    Bash: { name: "Shell", incidental: ["description"] },
    // Without a command it watches a WebSocket.
    Monitor: { name: "Shell", needs: ["command"], incidental: ["description"] },
    Read: { name: "ReadFile" },
    Write: { name: "WriteFile" },
    Edit: { name: "EditFile" },
    MultiEdit: { name: "EditFile" },
    NotebookEdit: { name: "EditFile", args: { notebook_path: "file_path", new_source: "new_string" } },
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Agent: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
    Task: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  unmapped: {
    "It talks to the person.": ["AskUserQuestion", "PushNotification", "ReportFindings"],
    "It keeps notes of the work: plans, tasks, goals.": [
      "TaskCreate",
      "TaskGet",
      "TaskList",
      "TaskUpdate",
      "TodoWrite",
    ],
    "It reads from the network; no file and no command of this machine.": [
      "WebFetch",
      "WebSearch",
      "RemoteTrigger",
      "Artifact",
    ],
    "It asks about, writes to or ends agents and commands that run already; their tools have events of their own.":
      ["ListAgents", "SendMessage", "TaskStop"],
    "It plans a prompt for later; what the agent then does has events of its own.": [
      "CronCreate",
      "CronDelete",
      "CronList",
      "ScheduleWakeup",
    ],
    "It only reads.": [
      "ToolSearch",
      "DeferredToolPlaceholder",
      "ListMcpResourcesTool",
      "ReadMcpResourceTool",
      "ReadNotifications",
    ],
    "It changes the mode of the session; what follows has events of its own.": [
      "EnterPlanMode",
      "ExitPlanMode",
      "EnterWorktree",
      "ExitWorktree",
    ],
    "It loads instructions for the model; what the model then does has events of its own.": ["Skill"],
    "Its script starts agents, whose tools have events of their own; a script in its arguments is matched as Shell.":
      ["Workflow"],
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
