import {
  isInheritedInput,
  isShell,
  programName,
  readCommands,
  readsScript,
  type SimpleCommand,
} from "@tenterhook/commands";
import type { Step } from "../translate/translate.ts";

/** The first program that a call starts and that runs what is typed into it. */
export function startedProgram(steps: readonly Step[]): string | undefined {
  for (const { event, payload } of steps) {
    const { toolName, toolInput } = payload as { toolName?: string; toolInput?: { command?: unknown } };
    const command = toolInput?.command;
    if (event !== "before_tool" || toolName !== "Shell" || typeof command !== "string") continue;
    const program = interactiveProgram(command);
    if (program !== undefined) return program;
  }
  return undefined;
}

const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|perl|php|lua[\d.]*|luajit|R|julia|tclsh|wish|expect|guile|racket|sbcl|clisp|ocaml|scala|groovy|elixir)$/;
/** They read what is typed unless they are given a file or an expression. */
const CONSOLES = /^(?:i?irb|pry|ipython[\d.]*|bpython|ptpython|ghci|iex|erl|jshell|utop|ts-node|gdb|lldb)$/;
/** Programs from which a command can be started by what is typed, and the arguments with which they do not read that. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  psql: /^(?:-[a-zA-Z]*[cflVX]+.*|--(?:command|file|list|version)(?:=.*)?)$/,
  mysql: /^(?:-[eV].*|--execute.*|--version)$/,
  mariadb: /^(?:-[eV].*|--execute.*|--version)$/,
  sftp: /^-b/,
  ftp: /^$/,
  lftp: /^-[cf]/,
  screen: /^-(?:ls|list|[a-zA-Z]*[dX].*|v)$/,
  zellij: /^(?:ls|list-sessions|action|kill.*|delete.*|--version)$/,
  script: /^(?:-[a-zA-Z]*c.*|--command.*|--version)$/,
  vi: /^(?:-[eE]s|-es|--version|--headless)$/,
  vim: /^(?:-[eE]s|-es|--version|--headless)$/,
  nvim: /^(?:-[eE]s|-es|--version|--headless|-l)$/,
  view: /^--version$/,
  ex: /^-s$/,
  ed: /^$/,
  nano: /^--version$/,
  emacs: /^(?:-?-batch|-?-script.*|--version)$/,
  less: /^(?:-V|--version|-[a-zA-Z]*F.*)$/,
  more: /^-V$/,
  most: /^-V$/,
  man: /^(?:-[wkfP].*|--where|--version|--pager.*)$/,
  su: /^(?:-[a-zA-Z]*c|--command.*|--version)$/,
  runuser: /^(?:-[a-zA-Z]*c.*|--command.*|--version)$/,
  login: /^$/,
  "nix-shell": /^(?:--run|--command|--version)$/,
};
/** They run what they read. */
const RUNS_INPUT = /^(?:xargs|parallel|at|batch)$/;
const READS_INPUT = /^(?:cat|tee|head|tail|dd|read|mapfile|readarray|line|sed|awk|tr)$/;
/** They start a shell when they are given no program. */
const SHELL_WRAPPERS = /^(?:chroot|nsenter|unshare)$/;
const CONTAINERS = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|docker-compose)$/;
/** With these, `ssh` opens no terminal. */
const SSH_WITHOUT_SHELL = /^-(?:[a-zA-Z]*[NGV]|Q|O)$/;

/**
 * The program in a shell text that would run, or evaluate, what is typed into it: a shell, an interpreter, a console, an editor, a terminal of
 * another machine. `undefined` when there is none. It is meant for honest command lines: a program that hides what it starts is not found.
 */
export function interactiveProgram(text: string): string | undefined {
  const { commands, problem } = readCommands(text);
  const found = inCommands(commands);
  if (found !== undefined || problem === undefined) return found;
  // It may be a line of another shell.
  for (const part of text.split(/[;&|\n(){}`]+/)) {
    const program = inCommands(readCommands(part).commands);
    if (program !== undefined) return program;
  }
  return undefined;
}

function inCommands(commands: readonly SimpleCommand[]): string | undefined {
  const typed = typedCommands(commands);
  const starters = new Set(commands.map(({ starter }) => starter));
  for (const command of typed) {
    const found = readsTyped(command, starters.has(command));
    if (found !== undefined) return found;
  }
  const isReading = commands.some((command) => typed.has(command) && readsInput(command));
  const runs = ({ words: [program] }: SimpleCommand) =>
    /^(?:eval|\.|source|\$.*|`.*)$/.test(program?.value ?? "");
  return isReading && commands.some(runs) ? "a loop that runs what it reads" : undefined;
}

/** The commands that read what is typed: nothing is given to them, or only what a program at the beginning of their pipeline has read so. */
function typedCommands(commands: readonly SimpleCommand[]): ReadonlySet<SimpleCommand> {
  const typed = new Set<SimpleCommand>();
  // What a command reads stands before it.
  for (const command of commands) {
    const { input } = command;
    const passesOn = (before: SimpleCommand) =>
      typed.has(before) && (typeof before.input !== "string" || readsInput(before));
    if (typeof input === "string" ? input === "inherited" : input.some(passesOn)) typed.add(command);
  }
  return typed;
}

/** Whether a command is a program that is known to read its input, and prints it or keeps it. */
function readsInput({ words }: SimpleCommand): boolean {
  const [program, ...rest] = words;
  const name = programName(program);
  if (!READS_INPUT.test(name)) return false;
  return (
    /^(?:read|mapfile|readarray|tee)$/.test(name) ||
    rest.every(({ value }) => value.startsWith("-") || isInheritedInput(value))
  );
}

/** The program that runs what is typed into a command, if it does. */
function readsTyped(command: SimpleCommand, isStarter: boolean): string | undefined {
  const name = programName(command.words[0]);
  const rest = command.words.slice(1).map(({ value }) => value);
  if (rest.some((word) => /^--(?:version|help)$/.test(word))) return undefined;
  if (isShell(command.words[0])) return readsScript(command.words) ? name : undefined;
  if (RUNS_INPUT.test(name)) return rest.some((word) => /^-a|^--arg-file/.test(word)) ? undefined : name;
  if (isStarter) return undefined;
  if (name === "sudo" || name === "doas")
    return rest.some((word) => /^(?:-[^CDghpRrTtUu-]*[is].*|--login|--shell)$/.test(word)) ? name : undefined;
  if (SHELL_WRAPPERS.test(name)) return name;
  if (name === "." || name === "source") return isInheritedInput(rest[0] ?? "") ? name : undefined;
  if (name === "ssh" || name === "mosh")
    return rest.some((word) => SSH_WITHOUT_SHELL.test(word)) ? undefined : name;
  if (name === "tmux") return isOpenedTmux(rest) ? name : undefined;
  if (CONTAINERS.test(name)) return inContainer(name, rest);
  if (INTERPRETERS.test(name)) return isReadingProgram(rest) ? name : undefined;
  if (CONSOLES.test(name))
    return rest.some((word) => /^-(?:c|e|p|batch|-batch|-eval|noshell)/.test(word)) ? undefined : name;
  if (name === "sqlite3") return rest.filter((word) => !word.startsWith("-")).length < 2 ? name : undefined;
  if (/^(?:poetry|pipenv|hatch|devbox|rails|flask)$/.test(name))
    return /^(?:shell|console|c|dbconsole)$/.test(rest[0] ?? "") ? `${name} ${rest[0]}` : undefined;
  if (Object.hasOwn(OTHERS, name)) return rest.some((word) => OTHERS[name]?.test(word)) ? undefined : name;
  return undefined;
}

/** An interpreter without a program, with `-` for what is typed, or one that goes on after its program. */
function isReadingProgram(rest: readonly string[]): boolean {
  if (rest.some((word) => /^(?:-i|--interactive|-a)$/.test(word))) return true;
  if (rest[0] === "-m") return /^(?:code|pdb|asyncio|IPython|ptpython|bpython)$/.test(rest[1] ?? "");
  if (rest[0] === "repl") return true;
  const isProgram = (word: string) =>
    !word.startsWith("-") || /^-(?:[a-zA-Z]*[cepErRVvh]|-eval|-print|-check|-run|-test|-p)/.test(word);
  const first = rest.find((word) => isInheritedInput(word) || isProgram(word));
  return first === undefined || isInheritedInput(first);
}

function isOpenedTmux([verb = "", ...rest]: readonly string[]): boolean {
  return /^(?:new(?:-session)?|attach(?:-session)?|at|a|)$/.test(verb) && !rest.includes("-d");
}

/** A container without a named program: what is typed reaches its own program with `-i`. */
function inContainer(name: string, rest: readonly string[]): string | undefined {
  const verb = rest.find((word) => /^(?:exec|run|attach|shell|debug|rsh)$/.test(word));
  if (verb === undefined) return undefined;
  const isOpen =
    /^(?:attach|shell|rsh)$/.test(verb) ||
    rest.some((word) => /^-[a-zA-Z]*[it][a-zA-Z]*$|^--(?:interactive|tty|stdin)$/.test(word)) ||
    rest[0] === "compose" ||
    name === "docker-compose";
  return isOpen ? `${name} ${verb}` : undefined;
}
