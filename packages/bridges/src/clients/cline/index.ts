import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { CLINE_CONFIGURATION } from "./configuration.ts";
import { CLINE_ALIASES, CLINE_EVENTS } from "./events.ts";
import { CLINE_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "cline",
  name: "Cline CLI",
  aliases: ["cline-cli"],
  program: { command: "cline", versionArguments: ["--version"] },
  known: {
    version: "3.0.65",
    found: {
      measured: { version: "3.0.65", date: "2026-11-15" },
      source: { version: "21cb8d25", date: "2026-08-22" },
    },
    lacks: { keep_running: "measured", keep_subagent_running: "source", name_failure: "source" },
  },
  environment: {
    markers: ["CLINE_CONNECTOR_CLI_LAUNCH", "CLINE_BUILD_ENV"],
    hookMarkers: ["CLINE_CONNECTOR_CLI_LAUNCH"],
    project: [],
    settings: ["CLINE_DIR", "CLINE_DATA_DIR", "CLINE_TELEMETRY_DISABLED", "CLINE_NO_AUTO_UPDATE"],
  },
  readsFilesOf: [],
  configuration: CLINE_CONFIGURATION,
  // The editor's extension waits for 30 seconds only.
  timeout: { default: 30_000, asked: 30_000 },
  fields: {
    ...COMMON_FIELDS,
    sessionId: ["sessionContext.rootSessionId", "taskId"],
    cwd: ["workspaceInfo.rootPath", "workspaceRoots.0"],
    toolName: ["tool_call.name", "tool_result.name", "preToolUse.toolName", "postToolUse.toolName"],
    // The arguments under preToolUse are converted to strings; these have their own types.
    toolInput: ["tool_call.input", "tool_result.input", "preToolUse.parameters", "postToolUse.parameters"],
    toolUseId: ["tool_call.id", "tool_result.id"],
    toolResult: ["tool_result.output", "postToolUse.result"],
    durationMs: ["tool_result.durationMs", "postToolUse.executionTimeMs"],
    error: ["tool_result.error", "tool_result.output.0.error", "error", "postToolUse.result"],
    prompt: ["prompt", "userPromptSubmit.prompt", "promptSubmit.prompt"],
  },
  events: CLINE_EVENTS,
  eventAliases: CLINE_ALIASES,
  tools: CLINE_TOOLS,
  promptlessModes: [],
  reportsBlockedTools: false,
  endsRunOnBlock: true,
  limits: [
    "A refused call ends the whole run, and the model does not see the reason.",
    "A stop gate is not enforced: Cline does not wait for it.",
    "A run without a terminal delivers no prompt, so that a hook of before_agent is not asked there: guard before_tool. On a terminal a prompt cannot be refused; the tools that follow are refused instead.",
    "A session cannot be refused when it starts: its first tool call waits for the verdict, and is refused.",
    "A hook that asks the person refuses the call, which ends the run: what a person then allows once (`tenterhook allow`) may come in any later session of the same project and folder.",
    "Subagents, and the end of a session that was not aborted, have no event of their own.",
  ],
  noticeLimit:
    "Cline shows no messages of hooks: a failed hook that lets the call pass is named in `tenterhook log` only.",
});
