import { typedCommand } from "@tenterhook/internal";
import { type Command, type ListedCommand, type Options, option, type Values } from "./command.ts";

const HOOK_COMMANDS = {
  init: {
    summary: "write a new hook, with tests that pass",
    load: async () => (await import("./commands/init.ts")).init,
  },
  list: {
    summary: "list the hooks of this folder, in the order they run",
    load: async () => (await import("./commands/list.ts")).list,
  },
  check: {
    summary: "report problems of hooks, by file and line",
    load: async () => (await import("./commands/check.ts")).check,
  },
  test: {
    summary: "run the test cases of hooks",
    load: async () => (await import("./commands/test.ts")).test,
  },
  explain: {
    summary: "show which hooks would run at an event and why others would not, or what a script reads",
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  try: {
    summary: "run the hooks of an event, here or of a coordinator, and show the result",
    load: async () => (await import("./commands/try.ts")).tryEvent,
  },
  trust: {
    summary: "review a project's hooks and allow them to run",
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  allow: {
    summary: "allow one call of a coding agent that a hook asks about",
    load: async () => (await import("./commands/allow.ts")).allow,
  },
  remove: {
    summary: "remove a hook, or confirm that it is gone",
    load: async () => (await import("./commands/remove.ts")).remove,
  },
  rename: {
    summary: "give a hook another name",
    load: async () => (await import("./commands/rename.ts")).rename,
  },
  disable: {
    summary: "switch a hook off",
    load: async () => (await import("./commands/switch.ts")).disable,
  },
  enable: {
    summary: "switch a hook on again",
    load: async () => (await import("./commands/switch.ts")).enable,
  },
  enforce: {
    summary: "enforce a hook that was only tried, or stop enforcing it",
    load: async () => (await import("./commands/switch.ts")).enforce,
  },
  log: {
    summary: "show the audit trail: which hook decided what and when, or a summary",
    load: async () => (await import("./commands/log.ts")).log,
  },
  rules: {
    summary: "list ready-made rules and what they did; add, remove and update them",
    load: async () => (await import("./commands/rules.ts")).rules,
  },
  prompt: {
    summary: "describe the hooks for a model's instructions",
    load: async () => (await import("./commands/prompt.ts")).prompt,
  },
} satisfies Record<string, ListedCommand>;

const CLIENT_COMMANDS = {
  install: {
    summary: "enforce your hooks inside the coding agents on this machine",
    load: async () => (await import("./commands/install.ts")).install,
  },
  uninstall: {
    summary: "take our entries out of the coding agents' configuration",
    load: async () => (await import("./commands/uninstall.ts")).uninstall,
  },
  clients: {
    summary: "list the coding agents, and what hooks can do in each",
    load: async () => (await import("./commands/clients.ts")).clients,
  },
  doctor: {
    summary: "find out why a hook did not fire in a coding agent",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  bridge: {
    summary: "run hooks for a coding agent, which calls this as its own hook",
    load: async () => (await import("./commands/bridge.ts")).bridge,
  },
} satisfies Record<string, ListedCommand>;

const AGENT_COMMANDS = {
  demo: {
    summary: "show an agent whose rm -fr is refused by a rule; needs no key",
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  run: {
    summary: "run an agent, of a JSON file here or of a coordinator, and wait for its result",
    load: async () => (await import("./commands/run.ts")).run,
  },
} satisfies Record<string, ListedCommand>;

const FLEET_COMMANDS = {
  up: {
    summary: "start a coordinator and a runner on this machine, with demo agents",
    load: async () => (await import("./commands/up.ts")).up,
  },
  serve: {
    summary: "start a coordinator",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  runners: {
    summary: "list runners, or start one here",
    load: async () => (await import("./commands/runners.ts")).runners,
  },
  runs: {
    summary: "list, show, stop and retry runs, or follow their events",
    load: async () => (await import("./commands/runs.ts")).runs,
  },
  agents: {
    summary: "list, show, save and delete agents",
    load: async () => (await import("./commands/agents.ts")).agents,
  },
  approvals: {
    summary: "list, show, approve and reject approvals",
    load: async () => (await import("./commands/approvals.ts")).approvals,
  },
  tokens: {
    summary: "manage access tokens, sign-in links and the key that signs webhooks",
    load: async () => (await import("./commands/tokens.ts")).tokens,
  },
} satisfies Record<string, ListedCommand>;

const SHELL_COMMANDS = {
  completion: {
    summary: "print a completion script for bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).completionOf(COMMANDS),
  },
} satisfies Record<string, ListedCommand>;

/** All commands in the order of the overview. Each is a chunk that is loaded when it is used. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  ...HOOK_COMMANDS,
  ...CLIENT_COMMANDS,
  ...AGENT_COMMANDS,
  ...FLEET_COMMANDS,
  ...SHELL_COMMANDS,
};

/** A command of an earlier version. It does what it did, and says what to write now. */
export interface FormerCommand extends Pick<ListedCommand, "load"> {
  readonly now: string;
}

export const FORMER_COMMANDS: Readonly<Record<string, FormerCommand>> = {
  describe: {
    now: "explain EVENT --script",
    load: async () =>
      asNow((await import("./commands/explain.ts")).explain, (values, args) => [
        { ...values, script: true },
        args,
      ]),
  },
  insights: {
    now: "log --summary",
    load: async () => {
      const { log } = await import("./commands/log.ts");
      const now = asNow(log, (values, args) => [{ ...values, summary: true }, args]);
      return { ...now, options: { ...now.options, local: option.flag("is always so now") } };
    },
  },
  resume: {
    now: "run --resume SESSION",
    load: async () =>
      asNow((await import("./commands/run.ts")).run, (values, [resume, ...args]) => [
        { ...values, resume },
        args,
      ]),
  },
  events: {
    now: "runs --follow",
    load: async () =>
      asNow((await import("./commands/runs.ts")).runs, (values, args) => [
        values,
        values.follow ? args : ["events", ...args],
      ]),
  },
  "webhook-key": {
    now: "tokens webhook-key",
    load: async () =>
      asNow((await import("./commands/tokens.ts")).tokens, (values, args) => [
        values,
        ["webhook-key", ...args],
      ]),
  },
};

/** A command as an earlier version called it, with what its arguments are now. */
function asNow<O extends Options>(
  command: Command<O>,
  translate: (values: Values<O>, args: readonly string[]) => [values: Values<O>, args: readonly string[]],
): Command<O> {
  return { ...command, run: (values, args) => command.run(...translate(values, args)) };
}

/** The commands by topic, for the overview. */
export const GROUPS = [
  { title: "Hooks in HOOK.md folders", commands: Object.keys(HOOK_COMMANDS) },
  { title: "Coding agents", commands: Object.keys(CLIENT_COMMANDS) },
  { title: "Agents", commands: Object.keys(AGENT_COMMANDS) },
  { title: "A coordinator", commands: Object.keys(FLEET_COMMANDS) },
  { title: "Shell", commands: Object.keys(SHELL_COMMANDS) },
] as const;

/** What to write for names that people may expect, but that are not commands. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  "run-agent":
    "Did you mean run? It takes a JSON file or the name of an agent, and waits; --detach only starts the run.",
  runner: "Did you mean runners start?",
  "try-hook": `Did you mean try? For a hook of a coordinator: ${typedCommand()} try on_run_start --hook NAME`,
  token: "Did you mean tokens?",
  hooks: "Did you mean list? It lists the hooks of this folder.",
};
