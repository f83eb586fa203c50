import {
  isInheritedInput,
  isShell,
  programName,
  type RunCommand,
  readCommand,
  readsScript,
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
  const { commands, effects } = readLine(text);
  const found = inCommands(commands);
  if (found !== undefined || !effects.some(({ name }) => name === "unreadable")) return found;
  // It may be a line of another shell.
  for (const part of text.split(/[;&|\n(){}`]+/)) {
    const program = inCommands(readLine(part).commands);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** So much of a line is read; of a longer one, so many here-documents are left out. */
const MAX_LENGTH = 100_000;
const MAX_DOCUMENTS = 20;

function readLine(text: string): ReturnType<typeof readCommand> {
  return readCommand(withoutLongDocuments(text), { workDir: "/", isTyped: true });
}

function withoutLongDocuments(text: string): string {
  const start = /<<-?[ \t]*(['"]?)(\w+)\1[^\n]*\n/g;
  let line = text;
  for (let count = 0; count < MAX_DOCUMENTS && line.length > MAX_LENGTH; count++) {
    const [, , word] = start.exec(line) ?? [];
    const end = word === undefined ? -1 : `${line}\n`.indexOf(`\n${word}\n`, start.lastIndex - 1);
    if (end < 0) break;
    line = line.slice(0, start.lastIndex) + line.slice(end + 1);
  }
  return line;
}

function inCommands(commands: readonly RunCommand[]): string | undefined {
  for (const command of commands) {
    if (command.runsTyped) return "a loop that runs what it reads";
    const found = command.readsTyped ? readsTyped(command) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The program that runs what is typed into a command, if it does. */
function readsTyped({ words, isStarter }: RunCommand): string | undefined {
  const [program = "", ...rest] = words;
  const name = programName(program);
  if (rest.some((word) => /^--(?:version|help)$/.test(word))) return undefined;
  if (isShell(program)) return readsScript(words) ? name : undefined;
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
