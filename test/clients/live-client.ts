import type { Step } from "./model-protocols.ts";

/** The folders of a client, and its model. */
export interface ClientLocation {
  readonly home: string;
  readonly project: string;
  /** The address of the fake model. */
  readonly model: string;
}

export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a test starts a client, and what its model calls the shell. */
export interface LiveClient {
  readonly id: string;
  /** The files in the home folder that `install` writes into, that of the entries first. */
  readonly installed: readonly string[];
  /** In seconds, or as the client counts. */
  timeout(seconds: number): number;
  /** The client's own files in the home folder, before Tenterhook is installed. */
  files(at: ClientLocation): Readonly<Record<string, string>>;
  shell(command: string): Step;
  /** It takes no changed input: what a hook changes is refused. */
  readonly takesNoChanges?: true;
  /** It cannot be held when it stops. */
  readonly cannotBeHeld?: true;
  /** What makes it run entries whose hash was not recorded. */
  readonly untrusted?: readonly string[];
  /** Without a person: it asks nothing. */
  start(at: ClientLocation): Start;
  /** On a terminal, where it asks the person before it runs a command. */
  onTerminal: {
    readonly args: readonly string[];
    /** A command that it asks about. */
    shell(command: string): Step;
    /** The text of the question. */
    readonly question: string;
    /** What must be typed before it begins: at this text, these keys. */
    readonly keys: Readonly<Record<string, string>>;
  };
}

const PROMPT = "run the commands";

const bash = (command: string): Step => ({ tool: "Bash", input: { command, description: "a command" } });
const runShellCommand = (command: string): Step => ({
  tool: "run_shell_command",
  input: { command, description: "a command" },
});

export const LIVE_CLIENTS: readonly LiveClient[] = [
  {
    id: "claude",
    installed: [".claude/settings.json"],
    timeout: (seconds) => seconds,
    files: ({ project }) => ({
      ".claude/settings.json": `{\n    "permissions": { "deny": ["WebFetch"] }\n}\n`,
      ".claude.json": JSON.stringify({
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: ["fake"], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
    shell: bash,
    onTerminal: {
      args: [PROMPT, "--model", "claude-sonnet-4-5", "--permission-mode", "default"],
      shell: bash,
      question: "Do you want to proceed?",
      keys: {},
    },
    start: ({ model }) => ({
      args: ["-p", PROMPT, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash"],
      env: {
        ANTHROPIC_API_KEY: "fake",
        ANTHROPIC_BASE_URL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_ERROR_REPORTING: "1",
      },
    }),
  },
  {
    id: "codex",
    installed: [".codex/hooks.json", ".codex/config.toml"],
    untrusted: ["--dangerously-bypass-hook-trust"],
    timeout: (seconds) => seconds,
    files: ({ model, project }) => ({
      ".codex/config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "fake"',
        // Else another model is asked in the person's place.
        'approvals_reviewer = "user"',
        "[model_providers.fake]",
        'name = "fake"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        'env_key = "FAKE_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        "[analytics]",
        "enabled = false",
        `[projects."${project}"]`,
        'trust_level = "trusted"',
        "",
      ].join("\n"),
    }),
    shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
    onTerminal: {
      args: ["-a", "on-request", "-s", "workspace-write", PROMPT],
      shell: (command) => ({
        tool: "exec_command",
        input: { cmd: command, sandbox_permissions: "require_escalated", justification: "it is needed" },
      }),
      question: "Would you like to run the following command?",
      keys: { "existing model": "2\r" },
    },
    start: ({ home }) => ({
      args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT],
      env: { CODEX_HOME: `${home}/.codex`, FAKE_KEY: "fake" },
    }),
  },
  {
    id: "gemini",
    installed: [".gemini/settings.json"],
    timeout: (seconds) => seconds * 1_000,
    files: () => ({
      ".gemini/settings.json": `{
  // The key is in the environment.
  "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } }
}
`,
    }),
    shell: runShellCommand,
    onTerminal: {
      args: ["-m", "gemini-2.5-pro", "-i", PROMPT],
      shell: runShellCommand,
      question: "Allow execution of",
      keys: {},
    },
    start: ({ model }) => ({
      args: ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", PROMPT],
      env: {
        GEMINI_API_KEY: "fake",
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
      },
    }),
  },
  {
    id: "qwen",
    installed: [".qwen/settings.json"],
    timeout: (seconds) => seconds * 1_000,
    takesNoChanges: true,
    files: () => ({
      ".qwen/settings.json": `{
  // The key is in the environment.
  "security": { "auth": { "selectedType": "openai" } },
  "telemetry": { "enabled": false }
}
`,
    }),
    shell: runInForeground,
    onTerminal: {
      args: ["-i", PROMPT],
      shell: runInForeground,
      question: "Allow execution of",
      keys: {},
    },
    start: ({ model }) => ({
      args: ["--approval-mode", "yolo", "-p", PROMPT],
      env: fakeQwen(model),
    }),
  },
  {
    id: "opencode",
    installed: [".config/opencode/plugin/tenterhook.js"],
    timeout: (seconds) => seconds,
    cannotBeHeld: true,
    files: ({ model }) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        autoupdate: false,
        share: "disabled",
        model: "fake/fake-model",
        small_model: "fake/fake-model",
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${model}/v1`, apiKey: "fake" },
            models: { "fake-model": { tool_call: true, limit: { context: 100_000, output: 4_000 } } },
          },
        },
        permission: { bash: { "*": "allow", "*asked-about*": "ask" } },
      }),
    }),
    shell: (command) => ({ tool: "bash", input: { command, description: "a command" } }),
    onTerminal: {
      args: ["run", PROMPT],
      shell: (command) => ({ tool: "bash", input: { command, description: "a command" } }),
      question: "permission requested: bash",
      keys: {},
    },
    start: () => ({
      args: ["run", PROMPT],
      env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    }),
  },
];

function runInForeground(command: string): Step {
  return { tool: "run_shell_command", input: { command, description: "a command", is_background: false } };
}

function fakeQwen(model: string): Readonly<Record<string, string>> {
  return { OPENAI_API_KEY: "fake", OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: "qwen3-coder-plus" };
}
