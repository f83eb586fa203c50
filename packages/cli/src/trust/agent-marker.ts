/** Variables that agents, and hooks, find in their environment. */
const MARKERS: readonly RegExp[] = [
  /^CLAUDECODE$/,
  /^CLAUDE_CODE_/,
  /^CODEX_/,
  /^GEMINI_CLI$/,
  /^AI_AGENT$/,
  /^CURSOR_AGENT$/,
  /^COPILOT_/,
  /^OPENCODE$/,
  /^TENTERHOOK_(?:EVENT|HOOK_DIR|AGENT)$/,
];

/** Settings that people keep in their profile, and editors in their terminals, whether or not an agent runs. */
const SETTINGS = /^(?:CODEX_HOME|CLAUDE_CODE_(?:USE|MAX|DISABLE|ENABLE)_\w+|CLAUDE_CODE_SSE_PORT)$/;

/** The variable that tells that an agent or a hook runs this, if one does. */
export function agentMarker(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return Object.keys(env).find(
    (name) => env[name] !== "" && !SETTINGS.test(name) && MARKERS.some((marker) => marker.test(name)),
  );
}
