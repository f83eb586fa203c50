import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { KIMI_CONFIGURATION } from "./configuration.ts";
import { KIMI_EVENTS } from "./events.ts";
import { KIMI_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "kimi",
  name: "Kimi Code",
  aliases: ["kimi-code", "kimi-cli", "kimi-code-cli", "moonshot"],
  program: { command: "kimi", versionArguments: ["--version"] },
  known: {
    version: "2.1.0",
    found: {
      measured: { version: "2.1.0", date: "2026-11-15" },
      source: { version: "0.38.0", date: "2026-08-22" },
    },
    live: {
      processors: { arm64: { version: "2.1.0", date: "2026-11-16" } },
      shows: ["refuse_tool", "change_input", "ask", "refuse_prompt", "keep_running", "add_context"],
    },
    lacks: { keep_subagent_running: "source" },
  },
  environment: {
    // Kimi Code sets no variable for its hooks that a person would not set too.
    markers: [],
    programs: ["kimi", "kimi-code"],
    hookMarkers: [],
    project: [],
    settings: ["KIMI_CODE_HOME", "KIMI_SHARE_DIR"],
  },
  readsFilesOf: [],
  configuration: KIMI_CONFIGURATION,
  timeout: { default: 30_000, asked: 600_000 },
  fields: {
    ...COMMON_FIELDS,
    toolUseId: "tool_call_id",
    toolResult: "tool_output",
    message: ["message", "body"],
  },
  events: KIMI_EVENTS,
  tools: KIMI_TOOLS,
  promptlessModes: [],
  reportsBlockedTools: true,
  limits: [
    "Hooks stand in the user's configuration only; there is none for a project.",
    "A tool's input cannot be changed: a hook that changes it refuses the call.",
    "A hook that asks the person refuses the call.",
    "A session cannot be refused when it starts: its first prompt waits for the verdict, and is refused.",
    "What a hook adds for the model, or objects to after a tool ran, reaches the model with the next prompt.",
    "A stop gate is asked once: it delays Kimi Code once, which then stops whether the gate agrees or not.",
    "A subagent cannot be kept running when it stops.",
    "The last result and the end of a session are lost when Kimi Code exits.",
  ],
  noticeLimit:
    "A failed hook that lets the call pass is named with the next prompt, and the model reads that too; `kimi -p` has no second prompt.",
});
