import { agentAbove } from "./agent-above.ts";

/** Variables that agents, and hooks, find in their environment. */
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

/** Settings that people keep in their profile, and editors in their terminals, whether or not an agent runs. */
const SETTINGS =
  /^(?:CODEX_(?:HOME|SQLITE_HOME|API_KEY)|COPILOT_(?:HOME|MODEL)|CLAUDE_CODE_(?:USE|MAX|DISABLE|ENABLE)_\w+|CLAUDE_CODE_SSE_PORT)$/;

/** What shows that an agent or a hook runs this, if one does: a variable, or a program above in the tree of processes. */
export function agentMarker(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = Object.keys(env).find(
    (each) => env[each] !== "" && !SETTINGS.test(each) && MARKERS.some((marker) => marker.test(each)),
  );
  return name === undefined ? agentAbove() : `${name} is set`;
}
