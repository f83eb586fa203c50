import type { Step } from "./model-protocols.ts";

export interface Place {
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
  /** The file that its hooks are written into, in the home folder. */
  readonly hooksFile: string;
  /** What else stands in that file. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** In seconds, or as the client counts. */
  timeout(seconds: number): number;
  /** Other files in the home folder. */
  files(place: Place): Readonly<Record<string, string>>;
  shell(command: string): Step;
  /** `asks`: the client would ask a person before it runs a command. There is none, so the command does not run. */
  start(place: Place, asks: boolean): Start;
}

const PROMPT = "run the commands";

export const LIVE_CLIENTS: readonly LiveClient[] = [
  {
    id: "claude",
    hooksFile: ".claude/settings.json",
    settings: {},
    timeout: (seconds) => seconds,
    files: ({ project }) => ({
      ".claude.json": JSON.stringify({
        hasCompletedOnboarding: true,
        projects: { [project]: { hasTrustDialogAccepted: true } },
      }),
    }),
    shell: (command) => ({ tool: "Bash", input: { command, description: "a command" } }),
    start: ({ model }, asks) => ({
      args: [
        ...["-p", PROMPT, "--model", "claude-sonnet-4-5"],
        ...(asks ? [] : ["--permission-mode", "default", "--allowedTools", "Bash"]),
      ],
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
    hooksFile: ".codex/hooks.json",
    settings: {},
    timeout: (seconds) => seconds,
    files: ({ model }) => ({
      ".codex/config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "fake"',
        "[model_providers.fake]",
        'name = "fake"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        'env_key = "FAKE_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        "[analytics]",
        "enabled = false",
        "",
      ].join("\n"),
    }),
    shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
    start: ({ home }, asks) => ({
      args: [
        ...["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
        ...(asks
          ? ["-c", 'approval_policy="untrusted"', "-c", 'sandbox_mode="danger-full-access"']
          : ["--dangerously-bypass-approvals-and-sandbox"]),
        PROMPT,
      ],
      env: { CODEX_HOME: `${home}/.codex`, FAKE_KEY: "fake" },
    }),
  },
  {
    id: "gemini",
    hooksFile: ".gemini/settings.json",
    settings: {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    },
    timeout: (seconds) => seconds * 1_000,
    files: () => ({}),
    shell: (command) => ({ tool: "run_shell_command", input: { command, description: "a command" } }),
    start: ({ model }, asks) => ({
      args: ["-m", "gemini-2.5-pro", "--approval-mode", asks ? "default" : "yolo", "-p", PROMPT],
      env: {
        GEMINI_API_KEY: "fake",
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
      },
    }),
  },
];
