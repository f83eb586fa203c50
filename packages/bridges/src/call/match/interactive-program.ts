import { basename } from "node:path";
import { isTerminal, type SimpleCommand, simpleCommands, UnreadableText } from "./simple-commands.ts";

const SHELLS = /^(?:r?bash|sh|d?ash|zsh|m?ksh|fish|t?csh|nu|xonsh|elvish|pwsh|powershell)$/;
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
  login: /^$/,
  "nix-shell": /^(?:--run|--command|--version)$/,
};
/** They run what they read. */
const RUNS_INPUT = /^(?:xargs|parallel|at|batch)$/;
const READS_INPUT = /^(?:cat|tee|head|tail|dd|read|mapfile|readarray|line|sed|awk|tr)$/;
const PREFIXES =
  /^(?:if|then|else|elif|while|until|do|!|\{|time|command|builtin|exec|nohup|setsid|unbuffer|busybox|rlwrap)$/;
/** They start another program, maybe after options with values. */
const WRAPPERS =
  /^(?:sudo|doas|env|nice|ionice|timeout|stdbuf|chroot|strace|nsenter|unshare|taskset|runuser)$/;
/** They start a shell when they are given no program. */
const SHELL_WRAPPERS = /^(?:chroot|nsenter|unshare)$/;
/** With `run`, they start a program in an environment of its own. */
const RUNNERS = /^(?:uv|poetry|pipenv|hatch|pdm|rye|conda|mamba|pixi)$/;
const SHELL_VARIABLE = /^\$(?:\{(?:SHELL|BASH|0)\}|SHELL|BASH|0)$/;
const CONTAINERS = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|docker-compose)$/;
const NESTED = 5;

/**
 * The program in a shell text that would run, or evaluate, what is typed into it: a shell, an interpreter, a console, an editor, a terminal of
 * another machine. `undefined` when there is none. It is meant for honest command lines: a program that hides what it starts is not found.
 */
export function interactiveProgram(text: string, nested = 0): string | undefined {
  if (nested > NESTED) return "a shell inside of many others";
  let commands: readonly SimpleCommand[];
  try {
    commands = simpleCommands(text);
  } catch (error) {
    if (error instanceof UnreadableText) return "a command that cannot be read";
    throw error;
  }
  const typed = commands.filter((command) => isTyped(command, commands, text));
  for (const { words } of typed) {
    const found = inWords(words, true, nested);
    if (found !== undefined) return found;
  }
  for (const { words } of commands.filter((command) => !typed.includes(command))) {
    const found = inWords(words, false, nested);
    if (found !== undefined) return found;
  }
  const names = commands.map(({ words }) => findProgram(words)[0] ?? "");
  const isReading = typed.some(
    ({ words }) => READS_INPUT.test(findProgram(words)[0] ?? "") && !hasFile(words),
  );
  return isReading && names.some((name) => /^(?:eval|\.|source|\$.*|`.*)$/.test(name))
    ? "a loop that runs what it reads"
    : undefined;
}

/** Whether a command reads what is typed: nothing is given to it, or only what a program before it has read so. */
function isTyped(command: SimpleCommand, all: readonly SimpleCommand[], text: string): boolean {
  if (/\bdone\s*<(?!\s*\/dev\/(?:stdin|tty))/.test(text) && findProgram(command.words)[0] === "read")
    return false;
  if (!command.isFed) return true;
  const [first] = all.filter(({ pipeline }) => pipeline === command.pipeline);
  if (first === undefined || first === command || first.isFed) return false;
  return READS_INPUT.test(findProgram(first.words)[0] ?? "") && !hasFile(first.words);
}

function hasFile(words: readonly string[]): boolean {
  const [name = "", ...rest] = findProgram(words);
  const operands = rest.filter((word) => word !== "-" && !word.startsWith("-"));
  if (name === "read" || name === "mapfile" || name === "readarray") return false;
  return operands.some((word) => !isTerminal(word)) && name !== "tee";
}

/** The words from the program on, without what stands before it. */
function findProgram(words: readonly string[]): readonly string[] {
  let at = 0;
  let isWrapped = false;
  while (at < words.length) {
    const word = words[at] ?? "";
    const name = basename(word);
    if (WRAPPERS.test(name)) isWrapped = true;
    else if (isWrapped && (word.startsWith("-") || /^\d+[smhd]?$/.test(word) || isValue(words, at))) {
      // Options of a wrapper and their values.
    } else if (!PREFIXES.test(name) && !/^[A-Za-z_]\w*=/.test(word)) break;
    at++;
  }
  const [program = "", ...rest] = words.slice(at);
  return program === "" ? [] : [/^[.$`]/.test(program) ? program : basename(program), ...rest];
}

function isValue(words: readonly string[], at: number): boolean {
  return /^(?:-u|-g|-n|-k|-s|--user|--group|-C|--chdir)$/.test(words[at - 1] ?? "");
}

function inWords(words: readonly string[], isTypedTo: boolean, nested: number): string | undefined {
  if (words.some((word) => /^(?:sudo|doas)$/.test(basename(word)))) {
    const isShell = words.some((word) => /^(?:-[a-zA-Z]*[is]|--login|--shell)$/.test(word));
    if (isShell && findProgram(words).length === 0) return "sudo";
  }
  const [name = "", ...rest] = findProgram(words);
  const shell = words.map((word) => basename(word)).find((word) => SHELL_WRAPPERS.test(word));
  if (shell !== undefined && isTypedTo && isWithoutProgram(shell, words)) return shell;
  if (rest.some((word) => /^--(?:version|help)$/.test(word))) return undefined;
  if (RUNNERS.test(name) && rest[0] === "run")
    return inWords(
      rest.slice(rest.findIndex((word, at) => at > 0 && !word.startsWith("-"))),
      isTypedTo,
      nested,
    );
  if (SHELLS.test(name) || SHELL_VARIABLE.test(name)) return inShell(name, rest, isTypedTo, nested);
  if (name === "eval") return interactiveProgram(rest.join(" "), nested + 1);
  if ((name === "." || name === "source") && isTypedTo && isTerminal(rest[0] ?? "")) return name;
  if (name === "su" || name === "script" || name === "runuser") {
    const at = rest.findIndex((word) => /^(?:-[a-zA-Z]*c|--command)$/.test(word));
    if (at >= 0) return interactiveProgram(rest[at + 1] ?? "", nested + 1);
  }
  if (RUNS_INPUT.test(name))
    return isTypedTo && !rest.some((word) => /^-a|^--arg-file/.test(word)) ? name : undefined;
  if (name === "ssh" || name === "mosh") return inSsh(name, rest, isTypedTo, nested);
  if (CONTAINERS.test(name)) return inContainer(name, rest, isTypedTo, nested);
  if (name === "tmux")
    return isTypedTo &&
      /^(?:new(?:-session)?|attach(?:-session)?|at|a|)$/.test(rest[0] ?? "") &&
      !rest.includes("-d")
      ? name
      : undefined;
  if (!isTypedTo) return undefined;
  if (INTERPRETERS.test(name)) return isReadingProgram(rest) ? name : undefined;
  if (CONSOLES.test(name))
    return rest.some((word) => /^-(?:c|e|p|batch|-batch|-eval|noshell)/.test(word)) ? undefined : name;
  if (name === "sqlite3") return rest.filter((word) => !word.startsWith("-")).length < 2 ? name : undefined;
  if (/^(?:poetry|pipenv|hatch|devbox|rails|flask)$/.test(name))
    return /^(?:shell|console|c|dbconsole)$/.test(rest[0] ?? "") ? `${name} ${rest[0]}` : undefined;
  if (Object.hasOwn(OTHERS, name)) return rest.some((word) => OTHERS[name]?.test(word)) ? undefined : name;
  return undefined;
}

/** `chroot` has the new root before its program. */
function isWithoutProgram(wrapper: string, words: readonly string[]): boolean {
  if (words.some((word) => /^--(?:version|help)$/.test(word))) return false;
  return findProgram(words).length <= (wrapper === "chroot" ? 1 : 0);
}

/** A shell with `-c` runs a text; with a script it runs that. */
function inShell(
  name: string,
  rest: readonly string[],
  isTypedTo: boolean,
  nested: number,
): string | undefined {
  let isText = false;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    if (word === "-s" || word === "-" || isTerminal(word)) return isTypedTo ? name : undefined;
    if (/^--(?:rcfile|init-file)$|^[-+][oO]$/.test(word)) at++;
    else if (/^-[a-zA-Z]*c$|^-Command$/i.test(word)) isText = true;
    else if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(word) && !isText) return isTypedTo ? name : undefined;
    else if (!/^[-+]/.test(word)) return isText ? interactiveProgram(word, nested + 1) : undefined;
  }
  return isTypedTo && !isText ? name : undefined;
}

/** An interpreter without a program, with `-` for what is typed, or one that goes on after its program. */
function isReadingProgram(rest: readonly string[]): boolean {
  if (rest.some((word) => /^(?:-i|--interactive|-a)$/.test(word))) return true;
  if (rest[0] === "-m") return /^(?:code|pdb|asyncio|IPython|ptpython|bpython)$/.test(rest[1] ?? "");
  if (rest[0] === "repl") return true;
  const isProgram = (word: string) =>
    !word.startsWith("-") || /^-(?:[a-zA-Z]*[cepErRVvh]|-eval|-print|-check|-run|-test|-p)/.test(word);
  const [first] = rest.filter((word) => word === "-" || isTerminal(word) || isProgram(word));
  return first === undefined || first === "-" || isTerminal(first);
}

const SSH_VALUES = /^-[bcDEeFIiJLlmOopQRSWw]$/;

function inSsh(
  name: string,
  rest: readonly string[],
  isTypedTo: boolean,
  nested: number,
): string | undefined {
  let at = 0;
  while (at < rest.length && rest[at]?.startsWith("-")) at += SSH_VALUES.test(rest[at] ?? "") ? 2 : 1;
  if (rest.slice(0, at).some((word) => /^-(?:[a-zA-Z]*[NGVT]|Q|O)$/.test(word))) return undefined;
  const remote = rest.slice(at + 1).join(" ");
  if (remote === "") return isTypedTo ? name : undefined;
  return isTypedTo ? interactiveProgram(remote, nested + 1) : undefined;
}

/** A program in a container: what is typed reaches it with `-i`. */
function inContainer(
  name: string,
  rest: readonly string[],
  isTypedTo: boolean,
  nested: number,
): string | undefined {
  if (!isTypedTo) return undefined;
  const verb = rest.find((word) => /^(?:exec|run|attach|shell|debug|rsh)$/.test(word));
  if (verb === undefined) return undefined;
  if (verb === "attach" || verb === "shell" || verb === "rsh") return `${name} ${verb}`;
  const isOpen =
    rest.some((word) => /^-[a-zA-Z]*[it][a-zA-Z]*$|^--(?:interactive|tty|stdin)$/.test(word)) ||
    rest[0] === "compose" ||
    name === "docker-compose";
  if (!isOpen) return undefined;
  const at = rest.findIndex((word) => SHELLS.test(basename(word)) || INTERPRETERS.test(basename(word)));
  return at < 0 ? `${name} ${verb}` : inWords(rest.slice(at), true, nested);
}
