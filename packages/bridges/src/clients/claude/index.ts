import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { CLAUDE_CONFIGURATION } from "./configuration.ts";
import { CLAUDE_EVENTS } from "./events.ts";
import { CLAUDE_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "claude",
  name: "Claude Code",
  aliases: ["claude-code", "claude-cli", "anthropic"],
  program: { command: "claude", versionArguments: ["--version"] },
  known: {
    version: "2.1.325",
    found: {
      measured: { version: "2.1.325", date: "2026-11-15" },
      documented: { version: "2.1.325", date: "2026-11-15" },
    },
    live: {
      processors: { arm64: { version: "2.1.325", date: "2026-11-16" } },
      shows: ["refuse_tool", "object", "replace_result", "refuse_prompt", "keep_running", "add_context"],
    },
  },
  environment: {
    markers: ["CLAUDECODE", "CLAUDE_CODE_*", "CLAUDE_PID", "AI_AGENT"],
    hookMarkers: ["CLAUDE_CODE_SESSION_ID"],
    session: "CLAUDE_CODE_SESSION_ID",
    unattended: { variable: "CLAUDE_CODE_ENTRYPOINT", value: "sdk-cli" },
    project: ["CLAUDE_PROJECT_DIR"],
    settings: [
      "CLAUDE_CONFIG_DIR",
      "CLAUDE_CODE_SSE_PORT",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
      "CLAUDE_CODE_SUBAGENT_MODEL",
      "CLAUDE_CODE_SHELL_PREFIX",
      "CLAUDE_CODE_SKIP_*",
      "CLAUDE_CODE_USE_*",
      "CLAUDE_CODE_MAX_*",
      "CLAUDE_CODE_DISABLE_*",
      "CLAUDE_CODE_ENABLE_*",
    ],
  },
  readsFilesOf: [],
  configuration: CLAUDE_CONFIGURATION,
  timeout: { default: 600_000, asked: 600_000 },
  fields: COMMON_FIELDS,
  events: CLAUDE_EVENTS,
  tools: CLAUDE_TOOLS,
  promptlessModes: ["bypassPermissions"],
  reportsBlockedTools: false,
  limits: [
    "A session cannot be refused when it starts; its first prompt and its tools are refused instead.",
    "A result cannot be withheld after the tool ran: the model gets the reason beside it.",
    "No person can be asked in `claude -p`: there a hook that asks refuses the call, and a person can allow it once (`tenterhook allow`).",
    "Files that a person mentions with @ are read without a hook.",
  ],
  noticeLimit:
    "Without a terminal (`claude -p`), a failed hook that lets the call pass is named when the session ends, not at the call.",
});
