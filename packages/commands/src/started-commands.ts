/** Reading from these is to read the input of the line. */
const INHERITED_INPUT = /^(?:\/dev\/(?:stdin|tty|fd\/0)|\/proc\/self\/fd\/0|0|-)$/;

/** Whether a file is the input of the program that opens it. */
export function isInheritedInput(path: string): boolean {
  return INHERITED_INPUT.test(path);
}

/** The name of a program without its folder. */
export function programName(path = ""): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What a command starts: another program with its arguments, or a text that a shell reads. */
export type Started = {
  /** It reads the input of the command that starts it. */
  readonly hasInput: boolean;
  /** It runs in the shell itself, so that `cd` in it counts for what follows. */
  readonly isInShell: boolean;
  /** Variables that it gets besides those of the command that starts it. */
  readonly variables?: readonly (readonly [name: string, value: string])[];
} & (
  | { readonly type: "words"; readonly words: readonly string[] }
  | {
      readonly type: "text";
      readonly text: string;
      /** What follows the text: `$0`, `$1`, … */
      readonly parameters?: readonly string[];
      readonly language?: "powershell" | "cmd";
    }
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

/** They start a program that a package brings. */
const PACKAGE: Wrapper = { letters: "pc", names: "package call from with python" };

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    letters: "CDghpRrTtUu",
    names: "close-from chdir group host prompt chroot role type command-timeout other-user user",
    never: /^(?:-[^CDghpRrTtUu]*[elvVK].*|--(?:edit|list|validate|version|remove-timestamp))$/,
  },
  doas: { letters: "uC", never: /^-L$/ },
  pkexec: { names: "user" },
  gosu: { operands: 1 },
  fakeroot: { letters: "lfsib" },
  env: { letters: "uCS", names: "unset chdir split-string" },
  nice: { letters: "n", names: "adjustment" },
  ionice: { letters: "cn", names: "class classdata", never: /^-p$/ },
  chrt: { letters: "TPD", operands: 1, never: /^-p$/ },
  taskset: { operands: 1, never: /^-[a-z]*p$/ },
  timeout: { letters: "sk", names: "signal kill-after", operands: 1 },
  stdbuf: { letters: "ioe", names: "input output error" },
  chroot: { names: "userspec groups", operands: 1 },
  strace: { letters: "abeEIoPsSuXp", never: /^-p/ },
  ltrace: { letters: "aAeFlnopsuwx", never: /^-p/ },
  nsenter: { letters: "tGSW", names: "target setuid setgid wdns" },
  unshare: { letters: "RwSG", names: "root wd setuid setgid setgroups propagation map-user map-group" },
  runuser: { letters: "ugGs", names: "user group supp-group shell" },
  setpriv: { names: "reuid ruid euid regid rgid egid groups inh-caps ambient-caps bounding-set pdeathsig" },
  nohup: {},
  setsid: {},
  time: { letters: "fo", names: "format output" },
  command: { never: /^-[vV]$/ },
  builtin: {},
  exec: { letters: "a" },
  unbuffer: {},
  rlwrap: { letters: "bcCDfgHlmMOpPqsStwz" },
  npx: PACKAGE,
  pnpx: PACKAGE,
  bunx: PACKAGE,
  uvx: PACKAGE,
  "systemd-run": {
    letters: "uptEHMG",
    names:
      "unit property slice description service-type uid gid nice working-directory setenv on-active on-boot on-startup on-unit-active " +
      "on-unit-inactive on-calendar timer-property path-property socket-property host machine",
  },
  busybox: {},
  toybox: {},
  watch: { letters: "n", names: "interval" },
  flock: { letters: "wEc", names: "timeout wait conflict-exit-code command", operands: 1 },
  xargs: {
    letters: "IEJnPdLsa",
    names: "replace max-args max-procs delimiter max-lines max-chars arg-file",
    keepsInput: true,
  },
};
/** They start the program after `run`, in an environment of its own. */
const RUNNERS: Readonly<Record<string, Valued>> = {
  uv: { letters: "pw", names: "with extra group package python project directory env-file" },
  poetry: { letters: "CP", names: "directory project" },
  pipenv: {},
  hatch: { letters: "e", names: "env" },
  pdm: { letters: "p", names: "project" },
  rye: {},
  conda: { letters: "np", names: "name prefix cwd" },
  mamba: { letters: "np", names: "name prefix" },
  pixi: { letters: "e", names: "environment manifest-path" },
};
/** They give the value of an option to a shell: its letter, its long names, and the letters of others that take a value. */
const TEXT_OPTIONS: Readonly<Record<string, { letter: string; names: RegExp; others: string }>> = {
  su: { letter: "c", names: /^--(?:session-)?command$/, others: "gGswT" },
  sg: { letter: "c", names: /^--command$/, others: "" },
  script: { letter: "c", names: /^--command$/, others: "EIBmoOT" },
  runuser: { letter: "c", names: /^--(?:session-)?command$/, others: "ugGsw" },
  flock: { letter: "c", names: /^--command$/, others: "wE" },
  "nix-shell": { letter: "", names: /^--(?:run|command)$/, others: "pAIE" },
  env: { letter: "S", names: /^--split-string$/, others: "uC" },
};
const SHELLS = /^(?:r?bash|sh|d?ash|zsh|m?ksh|fish|t?csh|nu|xonsh|elvish|pwsh|powershell|cmd)$/;
const SHELL_VARIABLE = /^\$(?:\{(?:SHELL|BASH|0)\}|SHELL|BASH|0)$/;
const POWERSHELL = /^(?:pwsh|powershell)(?:\.exe)?$/i;
const SSH_VALUES: Valued = { letters: "BbcDEeFIiJLlmOoPpQRSWw" };
const DOCKER = /^(?:docker|podman|nerdctl|docker-compose)$/;
const KUBERNETES = /^(?:kubectl|oc)$/;
/** Without `d`, `i`, `t`, `P`, `q` and `T`. */
const DOCKER_LETTERS = "abcefghjklmnoprsuvwxyzABCDEFGHIJKLMNOQRSUVWXYZ";
/** Long options of `docker run`, `docker exec` and their likes that take no value. The others do. */
const DOCKER_SWITCHES =
  /^--(?:detach|interactive|tty|rm|init|privileged|read-only|quiet|quiet-pull|publish-all|no-healthcheck|no-deps|no-TTY|build|service-ports|use-aliases|remove-orphans|replace|oom-kill-disable|sig-proxy|disable-content-trust|latest|no-hosts|rmi|tls-verify)$/;
const KUBERNETES_VALUES: Valued = {
  letters: "cnfs",
  names: "container namespace filename context kubeconfig",
};
const OPEN = /^(?:-[a-zA-Z]*i[a-zA-Z]*|--interactive|--stdin)(?:=true)?$/;

/** Whether a program is a shell. */
export function isShell(word: string | undefined): boolean {
  return SHELLS.test(programName(word).replace(/\.exe$/i, "")) || SHELL_VARIABLE.test(word ?? "");
}

/** Whether a command is a shell that reads its commands from its input: it has neither a text nor a script. */
export function readsScript(words: readonly string[]): boolean {
  return isShell(words[0]) && shellArgument(words).type === "input";
}

/** Whether a shell without a text runs a script or its input. */
export function startsElsewhere(words: readonly string[]): "script" | "input" | undefined {
  const { type } = shellArgument(words);
  return type === "text" ? undefined : type;
}

/** What a command with these words starts itself. */
export function startedBy(words: readonly string[]): readonly Started[] {
  const name = programName(words[0]);
  const text = Object.hasOwn(TEXT_OPTIONS, name) ? textOption(name, words) : undefined;
  if (text !== undefined) return startedText(text);
  if (isShell(words[0])) {
    const argument = shellArgument(words);
    if (argument.type !== "text") return [];
    const { text, parameters } = argument;
    const language = POWERSHELL.test(name)
      ? { language: "powershell" as const }
      : /^cmd(?:\.exe)?$/i.test(name)
        ? { language: "cmd" as const }
        : {};
    return startedText(text).map((each) => ({ ...each, parameters, ...language }));
  }
  if (name === "eval") {
    const from = words[1] === "--" ? 2 : 1;
    return startedText(joined(words.slice(from))).map((each) => ({ ...each, isInShell: true }));
  }
  if (name === "trap") {
    const text = words[words[1] === "--" ? 2 : 1] ?? "";
    return startedText(words.length < 3 || text === "-" ? "" : text).map((each) => ({
      ...each,
      isInShell: true,
    }));
  }
  if (name === "fd" || name === "fdfind") {
    const at = words.findIndex((value) => /^(?:-x|-X|--exec|--exec-batch)$/.test(value));
    return at < 0 ? [] : startedWords(words.slice(at + 1), false);
  }
  if (name === "find") return startedByFind(words);
  if (name === "ssh" || name === "mosh") return startedBySsh(words);
  if (name === "parallel") return startedByParallel(words);
  if (DOCKER.test(name)) return startedByDocker(words);
  if (KUBERNETES.test(name)) return startedByKubernetes(words);
  if (Object.hasOwn(RUNNERS, name)) return startedByRunner(words, RUNNERS[name] ?? {});
  if (name === "watch" && !words.some((value) => /^(?:-[a-z]*x|--exec)$/.test(value)))
    return startedText(joined(words.slice(skipOptions(words, 1, WRAPPERS.watch ?? {}))));
  return Object.hasOwn(WRAPPERS, name) ? startedByWrapper(words, WRAPPERS[name] ?? {}) : [];
}

function startedWords(words: readonly string[], hasInput = true): readonly Started[] {
  return words.length === 0 ? [] : [{ type: "words", words, hasInput, isInShell: false }];
}

function startedText(text: string, hasInput = true): readonly (Started & { readonly type: "text" })[] {
  return text === "" ? [] : [{ type: "text", text, hasInput, isInShell: false }];
}

function joined(words: readonly string[]): string {
  return words.map((value) => value).join(" ");
}

function startedByWrapper(words: readonly string[], wrapper: Wrapper): readonly Started[] {
  const name = programName(words[0]);
  let at = skipOptions(words, 1, wrapper);
  const options = words.slice(1, at);
  if (options.some((value) => wrapper.never?.test(value))) return [];
  // Without a user as an option it starts the shell of the user that it names.
  if (name === "runuser" && !options.some((value) => /^(?:-[a-zA-Z]*u|--user)/.test(value))) return [];
  at += wrapper.operands ?? 0;
  const variables: [string, string][] = [];
  for (; /^[A-Za-z_]\w*=/.test(words[at] ?? ""); at++) {
    const value = words[at] ?? "";
    variables.push([value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1)]);
  }
  const isInShell = name === "command" || name === "builtin";
  return startedWords(words.slice(at), wrapper.keepsInput !== true).map((each) => ({
    ...each,
    isInShell,
    ...(variables.length === 0 ? {} : { variables }),
  }));
}

/** The text that an option gives to a shell. Where a program may follow, its options are not looked at. */
function textOption(name: string, words: readonly string[]): string | undefined {
  const { letter, names, others } = TEXT_OPTIONS[name] ?? { letter: "", names: /^$/, others: "" };
  const wrapper = WRAPPERS[name];
  const first = wrapper === undefined ? words.length : skipOptions(words, 1, wrapper);
  // `flock` has it behind its lock.
  const ends =
    wrapper?.operands === undefined
      ? [[1, first]]
      : [
          [1, first],
          [first + 1, first + 2],
        ];
  for (const [from = 1, end = 1] of ends)
    for (let at = from; at < Math.min(end, words.length); at++) {
      const value = words[at] ?? "";
      const next = name === "env" ? joined(words.slice(at + 1)) : (words[at + 1] ?? "");
      if (names.test(value)) return next;
      const equals = value.indexOf("=");
      if (equals > 0 && names.test(value.slice(0, equals))) return value.slice(equals + 1);
      if (!/^-[a-zA-Z]/.test(value)) continue;
      const taking = [...value].findIndex((each) => each === letter || others.includes(each));
      if (taking < 0) continue;
      const glued = value.slice(taking + 1);
      if (value[taking] === letter) return name === "env" ? `${glued} ${next}`.trim() : glued || next;
      if (taking === value.length - 1) at++;
    }
  return undefined;
}

type ShellArgument =
  | { readonly type: "text"; readonly text: string; readonly parameters: readonly string[] }
  | { readonly type: "script" | "input" };

/** What a shell runs: a text after `-c`, a script, or its input. */
function shellArgument(words: readonly string[]): ShellArgument {
  if (POWERSHELL.test(programName(words[0]))) return powerShellArgument(words);
  if (/^cmd(?:\.exe)?$/i.test(programName(words[0]))) {
    const at = words.findIndex((value) => /^\/+[ck]$/i.test(value));
    return at < 0 ? { type: "input" } : { type: "text", text: joined(words.slice(at + 1)), parameters: [] };
  }
  let hasText = false;
  for (let at = 1; at < words.length; at++) {
    const value = words[at] ?? "";
    if (value === "--") continue;
    if (value === "-" || isInheritedInput(value)) return { type: "input" };
    if (/^(?:-[a-zA-Z]*c[a-zA-Z]*|--command)$/.test(value)) hasText = true;
    if (/^--(?:rcfile|init-file)$|^[-+][a-zA-Z]*[oO]$/.test(value)) at++;
    else if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(value) && !hasText) return { type: "input" };
    else if (!/^[-+]/.test(value))
      return hasText ? { type: "text", text: value, parameters: words.slice(at + 1) } : { type: "script" };
  }
  return { type: hasText ? "script" : "input" };
}

const POWERSHELL_VALUES =
  /^-(?:ex\w*|ep|v|version|o\w*|if|inp\w*|w|wi\w*|wd|wo\w*|config\w*|settings\w*|custompipename|psconsolefile)$/i;

function powerShellArgument(words: readonly string[]): ShellArgument {
  for (let at = 1; at < words.length; at++) {
    const value = words[at] ?? "";
    if (value === "-") return { type: "input" };
    if (/^-(?:c|command|commandwithargs)$/i.test(value))
      return { type: "text", text: joined(words.slice(at + 1)), parameters: [] };
    if (/^-(?:f|file|e(?:c|n\w*)?)$/i.test(value)) return { type: "script" };
    if (POWERSHELL_VALUES.test(value)) at++;
    else if (!value.startsWith("-")) return { type: "text", text: joined(words.slice(at)), parameters: [] };
  }
  return { type: "input" };
}

function startedByFind(words: readonly string[]): readonly Started[] {
  const started: Started[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[at] ?? "")) continue;
    const from = at + 1;
    while (at < words.length && !/^[;+]$/.test(words[at] ?? "")) at++;
    started.push(...startedWords(words.slice(from, at), false));
  }
  return started;
}

/** Options may follow the host, too. */
function startedBySsh(words: readonly string[]): readonly Started[] {
  const host = skipOptions(words, 1, SSH_VALUES);
  return startedText(joined(words.slice(skipOptions(words, host + 1, SSH_VALUES))));
}

/** What follows `:::` are the arguments. */
function startedByParallel(words: readonly string[]): readonly Started[] {
  const from = skipOptions(words, 1, { letters: "jNnLIa", names: "jobs arg-file max-args colsep delay" });
  const end = words.findIndex((value) => value.startsWith(":::"));
  return startedText(joined(words.slice(from, end < 0 ? undefined : end)), false);
}

function startedByRunner(words: readonly string[], valued: Valued): readonly Started[] {
  const run = skipOptions(words, 1, valued);
  return words[run] === "run" ? startedWords(words.slice(skipOptions(words, run + 1, valued))) : [];
}

function startedByDocker(words: readonly string[]): readonly Started[] {
  const verb = words.findIndex((value) => value === "exec" || value === "run");
  if (verb < 0) return [];
  let at = verb + 1;
  let entry: string | undefined;
  while (words[at]?.startsWith("-")) {
    const value = words[at] ?? "";
    if (value === "--entrypoint") entry = words[at + 1];
    else if (value.startsWith("--entrypoint=")) entry = value.slice(13);
    const isAlone = value.startsWith("--")
      ? DOCKER_SWITCHES.test(value) || value.includes("=")
      : !takesNextWord(value, DOCKER_LETTERS);
    at += isAlone ? 1 : 2;
  }
  const isCompose = words.slice(0, verb).some((value) => /compose$/.test(value));
  const isOpen = isCompose || words.slice(verb, at).some((value) => OPEN.test(value));
  const program = [...(entry === undefined ? [] : [entry]), ...words.slice(at + 1)];
  // The arguments of the program of the image.
  return program[0]?.startsWith("-") ? [] : startedWords(program, isOpen);
}

function startedByKubernetes(words: readonly string[]): readonly Started[] {
  const verb = words.findIndex((value) => /^(?:exec|run|debug)$/.test(value));
  if (verb < 0) return [];
  const end = words.indexOf("--");
  const isOpen = words.slice(0, end < 0 ? undefined : end).some((value) => OPEN.test(value));
  if (end >= 0) return startedWords(words.slice(end + 1), isOpen);
  if (words[verb] !== "exec") return [];
  const pod = skipOptions(words, verb + 1, KUBERNETES_VALUES);
  return startedWords(words.slice(skipOptions(words, pod + 1, KUBERNETES_VALUES)), isOpen);
}

/** Where the first word is that is neither an option nor the value of one. */
function skipOptions(words: readonly string[], from: number, { letters = "", names = "" }: Valued): number {
  const long = names.split(" ");
  let at = from;
  for (; at < words.length; at++) {
    const value = words[at] ?? "";
    if (value === "--") return at + 1;
    if (!value.startsWith("-") || value === "-") return at;
    if (value.startsWith("--")) {
      if (long.includes(value.slice(2))) at++;
      continue;
    }
    if (takesNextWord(value, letters)) at++;
  }
  return Math.min(at, words.length);
}

/** The first letter that takes a value has the rest of the word as its value, or the next word. */
function takesNextWord(option: string, letters: string): boolean {
  const taking = [...option].findIndex((letter, index) => index > 0 && letters.includes(letter));
  return taking > 0 && taking === option.length - 1;
}
