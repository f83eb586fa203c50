import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { COPILOT_CONFIGURATION } from "./configuration.ts";
import { COPILOT_ALIASES, COPILOT_EVENTS } from "./events.ts";
import { COPILOT_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "copilot",
  name: "GitHub Copilot CLI",
  aliases: ["copilot-cli", "github-copilot", "gh-copilot", "github-copilot-cli"],
  program: { command: "copilot", versionArguments: ["--version"] },
  known: {
    version: "1.0.102",
    found: {
      measured: { version: "1.0.102", date: "2026-11-15" },
      documented: { version: "60321755", date: "2026-08-07" },
    },
    live: {
      processors: { arm64: { version: "1.0.102", date: "2026-11-16" } },
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
    markers: ["COPILOT_*"],
    hookMarkers: ["COPILOT_HOOK_DIR", "COPILOT_PROJECT_DIR"],
    project: ["COPILOT_PROJECT_DIR"],
    settings: [
      "COPILOT_HOME",
      "COPILOT_CACHE_HOME",
      "COPILOT_MODEL",
      "COPILOT_GITHUB_TOKEN",
      "COPILOT_ALLOW_ALL",
      "COPILOT_AUTO_UPDATE",
      "COPILOT_CUSTOM_INSTRUCTIONS_DIRS",
      "COPILOT_PROVIDER_*",
    ],
  },
  readsFilesOf: ["claude"],
  configuration: COPILOT_CONFIGURATION,
  timeout: { default: 30_000, asked: 600_000 },
  fields: {
    ...COMMON_FIELDS,
    sessionId: ["session_id", "sessionId"],
    toolName: ["tool_name", "toolName"],
    toolInput: ["tool_input", "toolArgs", "toolInput"],
    toolResult: [
      "tool_result.text_result_for_llm",
      "toolResult.textResultForLlm",
      "tool_result",
      "toolResult",
      "tool_response",
    ],
    stopReason: ["stop_reason", "stopReason"],
    agentId: ["agent_id", "agentId"],
    message: ["message", "body"],
    agentType: ["agent_type", "agentName", "agent_name"],
  },
  events: COPILOT_EVENTS,
  eventAliases: COPILOT_ALIASES,
  tools: COPILOT_TOOLS,
  promptlessModes: [],
  reportsBlockedTools: false,
  limits: [
    "A changed input counts as approved, so it is refused unless the hook says can_approve.",
    "A hook that asks the person refuses the call.",
    "A session cannot be refused when it starts; its first prompt and its tools are refused instead.",
    "A result cannot be withheld after the tool ran: the model gets the reason beside it.",
    "A subagent's calls, its prompt and its Stop are delivered, with a session id of its own: what was refused for the rest of its parent's session is not refused in it.",
    "Hooks of a project (`install --project`) have no effect until Copilot trusts the folder.",
    "The tool of an MCP server is separated from its server at the first hyphen of its name.",
  ],
});
