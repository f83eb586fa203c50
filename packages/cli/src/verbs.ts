import type { ListedVerb } from "./verb.ts";

const HOOK_VERBS = {
  init: {
    summary: "write a new hook, with a script and a test that pass",
    load: async () => (await import("./verbs/init.ts")).init,
  },
  list: {
    summary: "the hooks there are here, in the order they run",
    load: async () => (await import("./verbs/list.ts")).list,
  },
  check: {
    summary: "what is wrong with hooks, by file and line",
    load: async () => (await import("./verbs/check.ts")).check,
  },
  test: {
    summary: "run the cases that hooks keep beside them",
    load: async () => (await import("./verbs/test.ts")).test,
  },
  explain: {
    summary: "which hooks would run at an event, and why the others would not",
    load: async () => (await import("./verbs/explain.ts")).explain,
  },
  try: {
    summary: "run the hooks of an event for real, and show what came of it",
    load: async () => (await import("./verbs/try.ts")).tryEvent,
  },
  trust: {
    summary: "let a project's hooks run, after looking at them",
    load: async () => (await import("./verbs/trust.ts")).trust,
  },
  log: {
    summary: "which hook decided what, and when",
    load: async () => (await import("./verbs/log.ts")).log,
  },
  describe: {
    summary: "the events there are, what a script reads there and may answer",
    load: async () => (await import("./verbs/describe.ts")).describe,
  },
  prompt: {
    summary: "the hooks, described for a model",
    load: async () => (await import("./verbs/prompt.ts")).prompt,
  },
} satisfies Record<string, ListedVerb>;

const CLIENT_VERBS = {
  bridge: {
    summary: "what a coding agent calls as its hook",
    load: async () => (await import("./verbs/bridge.ts")).bridge,
  },
} satisfies Record<string, ListedVerb>;

const AGENT_VERBS = {
  run: {
    summary: "run an agent from a JSON file, with these hooks, and watch it",
    load: async () => (await import("./verbs/run.ts")).run,
  },
} satisfies Record<string, ListedVerb>;

const FLEET_VERBS = {
  up: {
    summary: "a coordinator and a runner on this machine, with agents to try",
    load: async () => (await import("./verbs/up.ts")).up,
  },
  serve: {
    summary: "run a coordinator",
    load: async () => (await import("./verbs/serve.ts")).serve,
  },
  runner: {
    summary: "carry out runs of a coordinator",
    load: async () => (await import("./verbs/runner.ts")).runner,
  },
  "run-agent": {
    summary: "start a run, and wait for what comes of it",
    load: async () => (await import("./verbs/run-agent.ts")).runAgent,
  },
  resume: {
    summary: "start another run in a session",
    load: async () => (await import("./verbs/resume.ts")).resume,
  },
  runs: {
    summary: "list, show, stop and retry runs",
    load: async () => (await import("./verbs/runs.ts")).runs,
  },
  agents: {
    summary: "list, show, save and delete agents",
    load: async () => (await import("./verbs/agents.ts")).agents,
  },
  approvals: {
    summary: "what waits for a person, and the decision",
    load: async () => (await import("./verbs/approvals.ts")).approvals,
  },
  events: {
    summary: "what happens, as it happens",
    load: async () => (await import("./verbs/events.ts")).events,
  },
  token: {
    summary: "who may come in",
    load: async () => (await import("./verbs/token.ts")).token,
  },
  "webhook-key": {
    summary: "the key that signs webhooks: show, rotate, set, retire",
    load: async () => (await import("./verbs/webhook-key.ts")).webhookKey,
  },
} satisfies Record<string, ListedVerb>;

const SHELL_VERBS = {
  completion: {
    summary: "a script with which bash, zsh or fish completes this command",
    load: async () => (await import("./verbs/completion.ts")).completionOf(VERBS),
  },
} satisfies Record<string, ListedVerb>;

/** All verbs, in the order in which somebody meets them. Each is a chunk that is loaded when it is used. */
export const VERBS: Readonly<Record<string, ListedVerb>> = {
  ...HOOK_VERBS,
  ...CLIENT_VERBS,
  ...AGENT_VERBS,
  ...FLEET_VERBS,
  ...SHELL_VERBS,
};

/** The same for people who look for one. */
export const GROUPS = [
  { title: "Hooks in HOOK.md folders", verbs: Object.keys(HOOK_VERBS) },
  { title: "Coding agents", verbs: Object.keys(CLIENT_VERBS) },
  { title: "One agent", verbs: Object.keys(AGENT_VERBS) },
  { title: "Agents on a coordinator", verbs: Object.keys(FLEET_VERBS) },
  { title: "The shell", verbs: Object.keys(SHELL_VERBS) },
] as const;
