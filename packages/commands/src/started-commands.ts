import { isInheritedInput, programName, type Word } from "./simple-command.ts";

/** What a command starts: another program with its arguments, or a text that a shell reads. */
export type Started = { readonly hasInput: boolean } & (
  | { readonly type: "words"; readonly words: readonly Word[] }
  | { readonly type: "text"; readonly text: string }
);

/** Options that take the next word as their value. */
interface Valued {
  /** The letters of short ones. */
  readonly letters?: string;
  /** Long ones, with spaces between. */
  readonly names?: string;
}

/** A program that starts the program which follows its own options. */
interface Wrapper extends Valued {
  /** How many words stand before the program. */
  readonly operands?: number;
  /** With one of these it starts nothing. */
  readonly never?: RegExp;
  /** It does not give its input to the program. */
  readonly keepsInput?: true;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    letters: "CDghpRrTtUu",
    names: "close-from chdir group host prompt chroot role type command-timeout other-user user",
    never: /^(?:-[a-zA-Z]*[elvVK]|--(?:edit|list|validate|version|remove-timestamp))$/,
  },
  doas: { letters: "uC", never: /^-L$/ },
  env: { letters: "uCS", names: "unset chdir split-string" },
  nice: { letters: "n", names: "adjustment" },
  ionice: { letters: "cn", names: "class classdata", never: /^-p$/ },
  chrt: { letters: "TPD", operands: 1, never: /^-p$/ },
  taskset: { operands: 1, never: /^-[a-z]*p$/ },
  timeout: { letters: "sk", names: "signal kill-after", operands: 1 },
  stdbuf: { letters: "ioe", names: "input output error" },
  chroot: { operands: 1 },
  strace: { letters: "aeEIoPsSuXp", never: /^-p/ },
  ltrace: { letters: "aAeFlnopsuwx", never: /^-p/ },
  nsenter: { letters: "tGSW", names: "target setuid setgid wdns" },
  unshare: { letters: "RwSG", names: "root wd setuid setgid propagation map-user map-group" },
  runuser: { letters: "ugGs", names: "user group supp-group shell" },
  setpriv: { names: "reuid regid groups" },
  nohup: {},
  setsid: {},
  time: { letters: "fo", names: "format output" },
  command: { never: /^-[vV]$/ },
  builtin: {},
  exec: { letters: "a" },
  unbuffer: {},
  rlwrap: { letters: "bcCDfgHlmMOpPqsStwz" },
  busybox: {},
  toybox: {},
  watch: { letters: "nd", names: "interval" },
  flock: { letters: "wEc", names: "timeout wait conflict-exit-code command", operands: 1 },
  xargs: {
    letters: "IEnPdLsa",
    names: "replace max-args max-procs delimiter max-lines max-chars arg-file",
    keepsInput: true,
  },
  parallel: { letters: "jNnLIa", names: "jobs arg-file max-args colsep delay", keepsInput: true },
};
/** They start the program after `run`, in an environment of its own. */
const RUNNERS: Readonly<Record<string, Valued>> = {
  uv: { letters: "p", names: "with extra group package python project directory env-file" },
  poetry: { letters: "CP", names: "directory project" },
  pipenv: {},
  hatch: { letters: "e", names: "env" },
  pdm: { letters: "p", names: "project" },
  rye: {},
  conda: { letters: "np", names: "name prefix cwd" },
  mamba: { letters: "np", names: "name prefix" },
  pixi: { letters: "e", names: "environment manifest-path" },
};
/** They give the value of these options to a shell. */
const TEXT_OPTIONS: Readonly<Record<string, RegExp>> = {
  su: /^(?:-[a-zA-Z]*c|--(?:session-)?command)$/,
  sg: /^-c$/,
  script: /^(?:-[a-zA-Z]*c|--command)$/,
  runuser: /^(?:-[a-zA-Z]*c|--(?:session-)?command)$/,
  flock: /^(?:-c|--command)$/,
  "nix-shell": /^--(?:run|command)$/,
  env: /^(?:-[a-zA-Z]*S|--split-string)$/,
};
const SHELLS = /^(?:r?bash|sh|d?ash|zsh|m?ksh|fish|t?csh|nu|xonsh|elvish|pwsh|powershell)$/;
const SHELL_VARIABLE = /^\$(?:\{(?:SHELL|BASH|0)\}|SHELL|BASH|0)$/;
const SSH_VALUES: Valued = { letters: "BbcDEeFIiJLlmOoPpQRSWw" };
const DOCKER = /^(?:docker|podman|nerdctl|docker-compose)$/;
const KUBERNETES = /^(?:kubectl|oc)$/;
/** All other options of `docker run` and `docker exec` take a value. */
const DOCKER_SWITCHES =
  /^(?:-[ditPqT]+|--(?:detach|interactive|tty|rm|init|privileged|read-only|quiet|publish-all|no-healthcheck|no-deps|no-TTY|build|service-ports|use-aliases|oom-kill-disable|sig-proxy))$/;
const OPEN = /^(?:-[a-zA-Z]*i[a-zA-Z]*|--interactive|--stdin)$/;

/** Whether a program is a shell. */
export function isShell(word: Word | undefined): boolean {
  return SHELLS.test(programName(word)) || SHELL_VARIABLE.test(word?.value ?? "");
}

/** Whether a command is a shell that reads its commands from its input: it has neither a text nor a script. */
export function readsScript(words: readonly Word[]): boolean {
  return isShell(words[0]) && shellArgument(words).type === "input";
}

/** What a command with these words starts itself. */
export function startedBy(words: readonly Word[]): readonly Started[] {
  const name = programName(words[0]);
  const text = textOption(name, words);
  if (text !== undefined) return [text];
  if (isShell(words[0])) {
    const argument = shellArgument(words);
    return argument.type === "text" ? [startedText(argument.text)] : [];
  }
  if (name === "eval") return [startedText(joined(words.slice(1)))];
  if (name === "find") return startedByFind(words);
  if (name === "ssh" || name === "mosh") {
    const remote = words.slice(skipOptions(words, 1, SSH_VALUES) + 1);
    return remote.length === 0 ? [] : [startedText(joined(remote))];
  }
  if (DOCKER.test(name)) return startedByDocker(words);
  if (KUBERNETES.test(name)) return startedByKubernetes(words);
  if (Object.hasOwn(RUNNERS, name) && words[1]?.value === "run")
    return startedWords(words.slice(skipOptions(words, 2, RUNNERS[name] ?? {})));
  if (name === "watch" && !words.some(({ value }) => /^(?:-[a-z]*x|--exec)$/.test(value)))
    return [startedText(joined(words.slice(skipOptions(words, 1, WRAPPERS.watch ?? {}))))];
  return Object.hasOwn(WRAPPERS, name) ? startedByWrapper(words, WRAPPERS[name] ?? {}) : [];
}

function startedWords(words: readonly Word[], hasInput = true): readonly Started[] {
  return words.length === 0 ? [] : [{ type: "words", words, hasInput }];
}

function startedText(text: string, hasInput = true): Started {
  return { type: "text", text, hasInput };
}

function joined(words: readonly Word[]): string {
  return words.map(({ value }) => value).join(" ");
}

function startedByWrapper(words: readonly Word[], wrapper: Wrapper): readonly Started[] {
  let at = skipOptions(words, 1, wrapper);
  if (words.slice(1, at).some(({ value }) => wrapper.never?.test(value))) return [];
  at += wrapper.operands ?? 0;
  while (/^[A-Za-z_]\w*=/.test(words[at]?.value ?? "")) at++;
  return startedWords(words.slice(at), wrapper.keepsInput !== true);
}

function textOption(name: string, words: readonly Word[]): Started | undefined {
  const option = Object.hasOwn(TEXT_OPTIONS, name) ? TEXT_OPTIONS[name] : undefined;
  if (option === undefined) return undefined;
  for (const [at, { value }] of words.entries()) {
    if (option.test(value)) return startedText(words[at + 1]?.value ?? "");
    const end = value.indexOf("=");
    if (end > 0 && option.test(value.slice(0, end))) return startedText(value.slice(end + 1));
  }
  return undefined;
}

/** What a shell runs: a text after `-c`, a script, or its input. */
function shellArgument(
  words: readonly Word[],
): { type: "text"; text: string } | { type: "script" | "input" } {
  let hasText = false;
  for (let at = 1; at < words.length; at++) {
    const { value } = words[at] as Word;
    if (value === "-" || isInheritedInput(value)) return { type: "input" };
    if (/^--(?:rcfile|init-file)$|^[-+][oO]$/.test(value)) at++;
    else if (/^(?:-[a-zA-Z]*c[a-zA-Z]*|-Command|--command)$/i.test(value)) hasText = true;
    else if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(value) && !hasText) return { type: "input" };
    else if (!/^[-+]/.test(value)) return hasText ? { type: "text", text: value } : { type: "script" };
  }
  return { type: hasText ? "script" : "input" };
}

function startedByFind(words: readonly Word[]): readonly Started[] {
  const started: Started[] = [];
  for (const [at, { value }] of words.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(value)) continue;
    const end = words.findIndex((word, index) => index > at && /^[;+]$/.test(word.value));
    started.push(...startedWords(words.slice(at + 1, end < 0 ? undefined : end), false));
  }
  return started;
}

function startedByDocker(words: readonly Word[]): readonly Started[] {
  const verb = words.findIndex(({ value }) => value === "exec" || value === "run");
  if (verb < 0) return [];
  let at = verb + 1;
  while (words[at]?.value.startsWith("-")) {
    const { value } = words[at] as Word;
    at += DOCKER_SWITCHES.test(value) || value.includes("=") ? 1 : 2;
  }
  const isCompose = words.slice(0, verb).some(({ value }) => /compose$/.test(value));
  const isOpen = isCompose || words.slice(verb, at).some(({ value }) => OPEN.test(value));
  return startedWords(words.slice(at + 1), isOpen);
}

function startedByKubernetes(words: readonly Word[]): readonly Started[] {
  const end = words.findIndex(({ value }) => value === "--");
  if (end < 0 || !words.some(({ value }) => /^(?:exec|run|debug)$/.test(value))) return [];
  return startedWords(
    words.slice(end + 1),
    words.slice(0, end).some(({ value }) => OPEN.test(value)),
  );
}

/** Where the first word is that is neither an option nor the value of one. */
function skipOptions(words: readonly Word[], from: number, { letters = "", names = "" }: Valued): number {
  const long = names.split(" ");
  let at = from;
  for (; at < words.length; at++) {
    const { value } = words[at] as Word;
    if (value === "--") return at + 1;
    if (!value.startsWith("-") || value === "-") return at;
    if (value.startsWith("--")) {
      if (long.includes(value.slice(2))) at++;
      continue;
    }
    // The first letter that takes a value has the rest of the word as its value, or the next word.
    const taking = [...value].findIndex((letter, index) => index > 0 && letters.includes(letter));
    if (taking === value.length - 1) at++;
  }
  return Math.min(at, words.length);
}
