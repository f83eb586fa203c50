import type { LiveClient } from "./live-client.ts";
import type { Step } from "./model-protocols.ts";

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
    replacesResults: true,
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
    replacesResults: true,
    installed: [".config/opencode/plugin/tenterhook.js"],
    timeout: (seconds) => seconds,
    cannotBeKeptRunning: true,
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
      // It installs this package from the registry into every folder that does not seem to have it, and waits; our plugin imports nothing.
      ".config/opencode/node_modules/.keep": "",
      ".config/opencode/package-lock.json": JSON.stringify({
        packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } },
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
  {
    id: "copilot",
    installed: [".copilot/hooks/tenterhook.json"],
    timeout: (seconds) => seconds,
    files: () => ({}),
    shell: (command) => ({ tool: "bash", input: { command, description: "a command" } }),
    onTerminal: {
      args: ["--no-auto-update", "--disable-builtin-mcps", "-i", PROMPT],
      shell: (command) => ({ tool: "bash", input: { command, description: "a command" } }),
      question: "Do you want to run this command?",
      keys: { "Do you trust the files in this folder?": "\r" },
    },
    start: ({ home, model }) => ({
      args: [
        ...["--allow-all-tools", "--allow-all-paths", "--no-auto-update", "--disable-builtin-mcps"],
        ...["-p", PROMPT],
      ],
      env: {
        COPILOT_HOME: `${home}/.copilot`,
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_API_KEY: "fake",
        COPILOT_MODEL: "fake-model",
        COPILOT_OFFLINE: "true",
      },
    }),
  },
  {
    id: "kimi",
    objectsLater: true,
    timesKeptRunning: 1,
    installed: [".kimi-code/config.toml"],
    timeout: (seconds) => seconds,
    takesNoChanges: true,
    files: ({ model }) => ({
      ".kimi-code/config.toml": [
        'default_model = "fake"',
        "telemetry = false",
        "",
        "[providers.fake]",
        'type = "openai"',
        `base_url = "${model}/v1"`,
        'api_key = "fake"',
        "",
        "[models.fake]",
        'provider = "fake"',
        'model = "fake-model"',
        "max_context_size = 100000",
        'capabilities = ["tool_use"]',
        "",
      ].join("\n"),
    }),
    shell: (command) => ({ tool: "Bash", input: { command } }),
    onTerminal: {
      args: [],
      shell: (command) => ({ tool: "Bash", input: { command } }),
      question: "Run this command?",
      keys: { "Trust this folder?": "\r", "Welcome to Kimi Code": "go\r" },
    },
    start: ({ home }) => ({ args: ["-p", PROMPT], env: { KIMI_CODE_HOME: `${home}/.kimi-code` } }),
  },
  {
    id: "droid",
    installed: [".factory/hooks.json"],
    timeout: (seconds) => seconds,
    deliversNoPrompt: true,
    files: ({ model }) => ({
      ".factory/settings.json": JSON.stringify({
        customModels: [
          {
            model: "fake-model",
            id: "custom:fake-0",
            index: 0,
            displayName: "fake",
            baseUrl: `${model}/v1`,
            apiKey: "fake",
            provider: "generic-chat-completion-api",
            maxOutputTokens: 4096,
          },
        ],
      }),
    }),
    shell: droidExecute,
    onTerminal: { args: [PROMPT], shell: droidExecute, question: "Execute", keys: {} },
    start: ({ home, model }) => ({
      args: ["exec", "--auto", "medium", "-m", "custom:fake-0", PROMPT],
      env: {
        FACTORY_HOME_OVERRIDE: home,
        FACTORY_AIRGAP_ENABLED: "true",
        FACTORY_DISABLE_KEYRING: "true",
        FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
        FACTORY_API_KEY: "fk-fake",
        FACTORY_API_BASE_URL: model,
        FACTORY_APP_BASE_URL: model,
        FACTORY_TELEMETRY_INGEST_BASE_URL: model,
        FACTORY_WORKOS_BASE_URL: model,
        FACTORY_RELAY_BASE_URL: model,
      },
    }),
  },
  {
    id: "cline",
    installed: [".cline/hooks/PreToolUse", ".cline/hooks/TaskStart"],
    timeout: (seconds) => seconds,
    cannotBeKeptRunning: true,
    refusalEndsRun: true,
    deliversNoPrompt: true,
    files: () => ({}),
    shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),
    onTerminal: {
      args: [],
      shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),
      question: "approve",
      keys: {},
    },
    prepare: ({ model }) => ({
      args: ["auth", "-p", "openai-compatible", "-k", "fake", "-m", "fake-model", "-b", `${model}/v1`],
      env: CLINE_QUIET,
    }),
    start: () => ({
      args: ["-P", "openai-compatible", "-m", "fake-model", "-k", "fake", "--json", PROMPT],
      env: CLINE_QUIET,
    }),
  },
];

const CLINE_QUIET = { CLINE_TELEMETRY_DISABLED: "1", CLINE_NO_AUTO_UPDATE: "1" };

function droidExecute(command: string): Step {
  const input = { command, summary: "a command", timeout: 10, riskLevel: "low", riskLevelReason: "a test" };
  return { tool: "Execute", input: { ...input, fireAndForget: false } };
}

function runInForeground(command: string): Step {
  return { tool: "run_shell_command", input: { command, description: "a command", is_background: false } };
}

function fakeQwen(model: string): Readonly<Record<string, string>> {
  return { OPENAI_API_KEY: "fake", OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: "qwen3-coder-plus" };
}
