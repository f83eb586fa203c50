import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { QWEN_CONFIGURATION } from "./configuration.ts";
import { QWEN_EVENTS } from "./events.ts";
import { QWEN_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "qwen",
  name: "Qwen Code",
  aliases: ["qwen-code", "qwen-cli", "qwen3-coder", "qwen-coder"],
  program: { command: "qwen", versionArguments: ["--version"] },
  known: {
    version: "0.24.4",
    found: {
      measured: { version: "0.24.4", date: "2026-11-15" },
      source: { version: "0.22.0", date: "2026-08-22" },
      documented: { version: "0.22.0", date: "2026-08-22" },
    },
    live: {
      processors: { arm64: { version: "0.24.4", date: "2026-11-16" } },
      shows: [
        "refuse_tool",
        "change_input",
        "ask",
        "object",
        "replace_result",
        "refuse_prompt",
        "keep_running",
        "add_context",
      ],
    },
  },
  environment: {
    markers: [
      "QWEN_CODE",
      "QWEN_CODE_CLI",
      "QWEN_CODE_SESSION_ID",
      "QWEN_CODE_AGENT_ID",
      "QWEN_CODE_PROMPT_ID",
      "QWEN_CODE_LAUNCHER_PID",
    ],
    hookMarkers: ["QWEN_CODE_SESSION_ID"],
    session: "QWEN_CODE_SESSION_ID",
    project: ["QWEN_PROJECT_DIR", "QWEN_CODE_PROJECT_DIR"],
    settings: ["QWEN_HOME", "QWEN_RUNTIME_DIR", "QWEN_CODE_MODEL", "QWEN_TELEMETRY_ENABLED"],
  },
  readsFilesOf: [],
  configuration: QWEN_CONFIGURATION,
  timeout: { default: 60_000, asked: 600_000 },
  fields: {
    ...COMMON_FIELDS,
    // The other id is made up for the hook; this one is the call's.
    toolUseId: ["tool_call_id", "tool_use_id"],
    prompt: ["submitted_prompt", "prompt"],
  },
  events: QWEN_EVENTS,
  tools: QWEN_TOOLS,
  promptlessModes: ["yolo"],
  reportsBlockedTools: false,
  limits: [
    "A tool's input cannot be changed: a hook that changes it refuses the call.",
    "A hook that asks the person refuses the call.",
    "A session cannot be refused when it starts; its first prompt and its tools are refused instead.",
    "A result cannot be withheld after the tool ran: the model gets the reason beside it.",
    "What a hook adds for the model before a tool reaches it after the tool.",
    "The end of a session is not delivered when Qwen Code runs headless.",
  ],
  noticeLimit: "A failed hook that lets the call pass is named when Qwen Code stops, not at the call.",
});
