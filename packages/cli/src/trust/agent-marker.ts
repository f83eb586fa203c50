import { agentAbove } from "./agent-above.ts";

/** Environment variables of agents and hooks. */
const MARKERS: readonly RegExp[] = [
  /^CLAUDECODE$/,
  /^CLAUDE_CODE_/,
  /^CLAUDE_PID$/,
  /^CODEX_/,
  /^GEMINI_(?:CLI|SESSION_ID|CWD|PLANS_DIR)$/,
  /^QWEN_CODE(?:_CLI|_SESSION_ID|_AGENT_ID|_PROMPT_ID|_LAUNCHER_PID)?$/,
  /^AI_AGENT$/,
  /^CURSOR_AGENT$/,
  /^COPILOT_/,
  /^(?:FACTORY|DROID)_PROJECT_DIR$/,
  /^DROID_PLUGIN_ROOT$/,
  /^CLINE_(?:CONNECTOR_CLI_LAUNCH|BUILD_ENV)$/,
  /^OPENCODE(?:_PID|_SERVER)?$/,
  /^TENTERHOOK_(?:EVENT|HOOK_DIR|AGENT)$/,
];

/** Settings in profiles of users and in terminals of editors, which do not indicate an agent. */
const SETTINGS =
  /^(?:CODEX_(?:HOME|SQLITE_HOME|API_KEY)|COPILOT_(?:HOME|MODEL)|CLAUDE_CODE_(?:USE|MAX|DISABLE|ENABLE)_\w+|CLAUDE_CODE_SSE_PORT)$/;

/** What shows that an agent or a hook runs this process, if any: a variable, or a parent process. */
export function agentMarker(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = Object.keys(env).find(
    (each) => env[each] !== "" && !SETTINGS.test(each) && MARKERS.some((marker) => marker.test(each)),
  );
  return name === undefined ? agentAbove() : `${name} is set`;
}
