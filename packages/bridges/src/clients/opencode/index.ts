import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { OPENCODE_CONFIGURATION } from "./configuration.ts";
import { OPENCODE_EVENTS } from "./events.ts";
import { OPENCODE_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "opencode",
  name: "OpenCode",
  aliases: ["open-code", "opencode-ai", "sst-opencode"],
  program: { command: "opencode", versionArguments: ["--version"] },
  known: {
    version: "1.18.33",
    found: {
      measured: { version: "1.18.33", date: "2026-11-15" },
      source: { version: "1.18.18", date: "2026-11-15" },
      documented: { version: "1.18.33", date: "2026-11-15" },
    },
    live: {
      processors: { arm64: { version: "1.18.18", date: "2026-11-16" } },
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
    markers: ["OPENCODE", "OPENCODE_PID", "OPENCODE_SERVER"],
    hookMarkers: [],
    project: [],
    settings: ["OPENCODE_DB", "OPENCODE_CONFIG"],
  },
  readsFilesOf: [],
  configuration: OPENCODE_CONFIGURATION,
  timeout: { default: 600_000, asked: 600_000 },
  fields: COMMON_FIELDS,
  events: OPENCODE_EVENTS,
  tools: OPENCODE_TOOLS,
  emptyAnswer: "{}",
  promptlessModes: [],
  reportsBlockedTools: false,
  limits: [
    "A stop gate is not enforced: OpenCode only reports that it is idle.",
    "A hook that asks the person refuses the call.",
    "A session cannot be refused when it starts: its first prompt waits for the verdict, and is refused.",
    "Versions 1.18 declare `permission.ask` and never call it, so a hook of permission_request is not asked there; guard before_tool.",
    "Failing tools and subagents have no event of their own.",
    "The tool of an MCP server is separated from its server at the first underscore of its name.",
  ],
});
