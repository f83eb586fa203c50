import type { Tools } from "../../definition/tools.ts";

export const KIMI_TOOLS: Tools = {
  rows: {
    Bash: { name: "Shell" },
    Shell: { name: "Shell" },
    Read: { name: "ReadFile", args: { path: "file_path" } },
    Write: { name: "WriteFile", args: { path: "file_path" } },
    Edit: { name: "EditFile", args: { path: "file_path" } },
    Glob: { name: "Glob" },
    Grep: { name: "Grep" },
    Agent: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
    AgentSwarm: { name: "Subagent", delegates: { type: "subagent_type", task: "prompt" } },
  },
  unmapped: {
    "It talks to the person.": ["AskUserQuestion"],
    "It keeps notes of the work: plans, tasks, goals.": [
      "CreateGoal",
      "GetGoal",
      "SetGoalBudget",
      "TodoList",
      "UpdateGoal",
    ],
    "It reads from the network; no file and no command of this machine.": ["FetchURL"],
    "It asks about, writes to or ends agents and commands that run already; their tools have events of their own.":
      ["TaskList", "TaskOutput", "TaskStop", "WaitFor"],
    "It plans a prompt for later; what the agent then does has events of its own.": [
      "CronCreate",
      "CronDelete",
      "CronList",
    ],
    "It changes the mode of the session; what follows has events of its own.": [
      "EnterPlanMode",
      "ExitPlanMode",
    ],
    "It loads instructions for the model; what the model then does has events of its own.": ["Skill"],
  },
  mcp: { prefix: "mcp__", separator: "__" },
};
