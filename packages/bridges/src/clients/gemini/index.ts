import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { GEMINI_CONFIGURATION } from "./configuration.ts";
import { GEMINI_EVENTS } from "./events.ts";
import { GEMINI_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "gemini",
  name: "Gemini CLI",
  aliases: ["gemini-cli", "google-gemini", "google-gemini-cli"],
  program: { command: "gemini", versionArguments: ["--version"] },
  known: {
    version: "0.61.0",
    found: {
      measured: { version: "0.61.0", date: "2026-11-15" },
      source: { version: "5411f113", date: "2026-08-21" },
      documented: { version: "0.61.0", date: "2026-11-15" },
    },
    live: {
      processors: { arm64: { version: "0.61.0", date: "2026-11-16" } },
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
    lacks: { keep_subagent_running: "source" },
  },
  environment: {
    markers: ["GEMINI_CLI", "GEMINI_SESSION_ID", "GEMINI_CWD", "GEMINI_PLANS_DIR"],
    hookMarkers: ["GEMINI_SESSION_ID"],
    session: "GEMINI_SESSION_ID",
    project: ["GEMINI_PROJECT_DIR"],
    settings: ["GEMINI_API_KEY", "GEMINI_MODEL", "GEMINI_CLI_HOME", "GEMINI_SANDBOX"],
  },
  readsFilesOf: [],
  configuration: GEMINI_CONFIGURATION,
  timeout: { default: 60_000, asked: 600_000 },
  fields: COMMON_FIELDS,
  events: GEMINI_EVENTS,
  tools: GEMINI_TOOLS,
  promptlessModes: [],
  reportsBlockedTools: false,
  limits: [
    "A session cannot be refused when it starts; its first prompt and its tools are refused instead.",
    "A question to the person was not measured to be asked in every mode, so a hook that asks refuses.",
    "Nothing can be taken out of a tool's input: a change that removes an argument is refused.",
    "What a hook adds for the model before a tool reaches it after the tool.",
    "Subagents have no event of their own when they stop.",
    "A compression that Gemini CLI begins by itself is not reported to hooks.",
  ],
});
