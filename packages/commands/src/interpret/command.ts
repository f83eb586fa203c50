import { findProgram } from "../programs/index.ts";
import type { Start } from "../programs/row.ts";
import { type LinePort, runRow, sendName } from "../programs/run-row.ts";
import { isShell, programName, startedBy, startsElsewhere } from "../started-commands.ts";
import { absoluteValue, nameTarget } from "../targets.ts";
import { isGlob, isKnown, isTyped, printed, UNKNOWN, unknownParts, written } from "../values.ts";
import { BUILTINS } from "./builtins.ts";
import { hasContent, runFile, runNode, runText } from "./run.ts";
import {
  BOUNDS,
  BoundReached,
  captured,
  contentOf,
  createPath,
  findTarget,
  fork,
  inputOf,
  linkFile,
  note,
  noteExecution,
  notePaths,
  type Process,
  print,
  type RunCommand,
  readFile,
  restore,
  step,
  writeFile,
} from "./state.ts";
import { variable } from "./words.ts";

/** Runs a command whose words are expanded. */
export function runWords(process: Process, words: readonly string[]): void {
  step(process);
  if (words.length > BOUNDS.words) throw new BoundReached("a command has too many words");
  const [first = "", ...rest] = words;
  const name = programName(first);
  const current: RunCommand = {
    words: words.map(written),
    where: process.where,
    readsTyped: isTyped(inputOf(process)),
    runsTyped: isTyped(first),
    isStarter: false,
  };
  process.current = current;
  process.reading.commands.push(current);
  if (!isKnown(name) || isGlob(first)) {
    noteUnknownProgram(process, first);
    print(process, UNKNOWN + unknownParts(words.join("") + inputOf(process)));
    return;
  }
  const alias = process.aliases.get(first);
  if (alias !== undefined && !process.active.includes(`alias ${first}`)) {
    const inner = { ...process, active: [...process.active, `alias ${first}`] };
    runText(inner, [alias, ...rest.map(quoted)].join(" "));
    return;
  }
  if (process.functions.has(first)) callFunction(process, first, words);
  else if (Object.hasOwn(BUILTINS, first)) BUILTINS[first]?.(process, rest);
  else if (first.includes("/") && hasContent(process, first)) runFile(fork(process), first, words);
  else if (isShell(first)) runShell(process, words);
  else runProgram(process, name, words);
}

function noteUnknownProgram(process: Process, program: string): void {
  noteExecution(process, program);
  if (!/[\uE004-\uE006]/.test(program)) note(process, "execute.unknown");
}

function callFunction(process: Process, name: string, words: readonly string[]): void {
  const calls = process.active.filter((each) => each === name).length;
  if (calls > 0 && process.isParallel) note(process, "exhaust");
  else if (calls > 2) note(process, "unreadable", [], `${name} calls itself`);
  const body = process.functions.get(name);
  if (body === undefined || calls > 2 || (calls > 0 && process.isParallel)) return;
  const { parameters, active } = process;
  const { locals } = process;
  const inner = Object.assign(process, { parameters: words, active: [...active, name], locals: new Map() });
  runNode(inner, body);
  for (const [local, value] of inner.locals ?? []) restore(process, local, value);
  Object.assign(process, { parameters, active, locals });
}

/** A shell runs a text, a script, or its input. */
function runShell(process: Process, words: readonly string[]): void {
  const startup = variable(process, "BASH_ENV");
  if (startup !== undefined) runFile(fork(process), startup, [startup]);
  const [started] = startedBy(words);
  const isForeign = /^(?:pwsh|powershell|cmd)$/i.test(programName(words[0]).replace(/\.exe$/i, ""));
  // With `-n` a shell only looks for mistakes.
  const looksOnly = (word: string) => /^-[abefhiklmprtuvxc]*n[abefhiklmprtuvxc]*$/.test(word);
  if (!isForeign && words.slice(1).some(looksOnly)) return;
  if (started?.type === "text") {
    const parameters = started.parameters ?? [];
    const inner = fork(process, parameters.length > 0 ? { parameters } : {});
    if (started.language !== undefined) process.reading.runForeign(inner, started.text, started.language);
    else runText(inner, started.text);
    return;
  }
  if (words.slice(1).some((word) => /^--(?:version|help)$/.test(word))) return;
  if (isForeign && words.some((word) => /^-e(?:c|n\w*)?$/i.test(word))) {
    note(process, "execute.decoded");
    return;
  }
  const script = words.slice(1).find((word) => !/^[-+]/.test(word));
  const readsInput = startsElsewhere(words) === "input";
  if (!readsInput && script !== undefined) runFile(fork(process), script, words.slice(words.indexOf(script)));
  else if (readsInput && isForeign) process.reading.runForeign(fork(process), inputOf(process), "powershell");
  else if (readsInput) runText(fork(process), inputOf(process));
}

/** A program of the tables, one that starts another, or one that is not known. */
export function runProgram(process: Process, name: string, words: readonly string[]): void {
  const rest = words.slice(1);
  const row = findProgram(name);
  const started = row !== undefined && STARTS_ITSELF.test(name) ? [] : startedBy(words);
  if (/^(?:ssh|scp|sftp|mosh)$/.test(name)) runProxies(process, words);
  for (const each of started) {
    const how: Start = {
      ...startedWhere(process, name, words),
      ...(each.variables === undefined ? {} : { variables: each.variables }),
    };
    if (process.current !== undefined) process.current.isStarter = true;
    const input = each.hasInput ? {} : { input: "" };
    const inner = startIn(each.isInShell ? process : fork(process), { ...how, ...input }, each.isInShell);
    if (inner.where === "remote") sendAway(process, words);
    if (each.type === "text") runText(inner, each.text);
    else runWords(inner, each.words);
  }
  if (started.length > 0) return;
  const isOwnText = /^--(?:help|version)$/.test(words[1] ?? "") || words.slice(1, 4).some(isOwnShell);
  if (row === undefined && isOwnText && inputOf(process) === "") return;
  if (row === undefined) print(process, UNKNOWN + unknownParts(words.join("") + inputOf(process)));
  else runRow(row, name, rest, portOf(process));
}

/** `starship init bash`, `kubectl completion bash`, `brew shellenv`: a shell's text that the program has itself. */
function isOwnShell(word: string): boolean {
  return /^(?:completions?|init|hook|activate|shellenv|shell-init|--alias|--completion)$/.test(word);
}

/** They have a function in their table that knows what they start. */
const STARTS_ITSELF = /^g?(?:find|xargs)$|^(?:parallel|fd|fdfind|npx|pnpx|bunx|uvx|systemd-run)$/;

/** `-o ProxyCommand=…` runs here. */
function runProxies(process: Process, words: readonly string[]): void {
  for (const word of words) {
    const [, text] = /(?:^|o)(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(word) ?? [];
    if (text !== undefined && text !== "none") runText(fork(process), text);
  }
}

/** What is given to another host goes there. */
function sendAway(process: Process, words: readonly string[]): void {
  const given = unknownParts(words.join("") + inputOf(process));
  const host = words.slice(1).find((word) => !word.startsWith("-")) ?? UNKNOWN;
  if (/[\uE001-\uE003]/.test(given)) note(process, sendName(given), [nameTarget("host", host)]);
}

/** Where what a wrapper starts is, and as whom. */
function startedWhere(process: Process, name: string, words: readonly string[]): Start {
  if (/^(?:sudo|doas|su|pkexec|runuser|gosu)$/.test(name))
    return { isElevated: true, ...workDirOption(words, /^(?:-D|--chdir)$/) };
  if (name === "env") return workDirOption(words, /^(?:-C|--chdir)$/);
  if (/^(?:ssh|mosh)$/.test(name)) return { where: "remote" };
  if (/^(?:docker|podman|nerdctl|docker-compose|kubectl|oc)$/.test(name))
    return {
      where: "container",
      folder: workDirOption(words, /^(?:-w|--workdir)$/).folder ?? UNKNOWN,
      mounts: mountsOf(process, words),
    };
  return {};
}

function workDirOption(words: readonly string[], option: RegExp): { folder?: string } {
  const at = words.findIndex((word) => option.test(word.split("=")[0] ?? ""));
  const folder = words[at]?.includes("=") === true ? words[at]?.replace(/^[^=]*=/, "") : words[at + 1];
  return at < 0 || folder === undefined ? {} : { folder };
}

/** `-v /:/host`, `--mount type=bind,source=/,target=/host`. */
function mountsOf(process: Process, words: readonly string[]): NonNullable<Start["mounts"]> {
  const mounts: { from: string; to: string }[] = [];
  const add = (from: string | undefined, to: string | undefined) => {
    if (from !== undefined && to !== undefined && /^[/.~\uE000-\uE00F]/.test(from))
      mounts.push({ from: absoluteValue(from, process.folder), to: to.replace(/(.)\/$/, "$1") });
  };
  for (const [index, word] of words.entries()) {
    const [, glued] = /^(?:-v|--volume=?)(.*)$/s.exec(word) ?? [];
    if (glued !== undefined) add(...((glued || words[index + 1] || "").split(":") as [string, string?]));
    const [, mount] = /^--mount=?(.*)$/s.exec(word) ?? [];
    if (mount === undefined) continue;
    const fields = new Map(
      (mount || words[index + 1] || "").split(",").map((each) => each.split("=") as [string, string]),
    );
    add(
      fields.get("source") ?? fields.get("src"),
      fields.get("target") ?? fields.get("dst") ?? fields.get("destination"),
    );
  }
  return mounts;
}

function startIn(
  process: Process,
  { where, isElevated, folder, input, variables, mounts }: Start,
  isInShell = false,
): Process {
  const inner = isInShell
    ? process
    : {
        ...process,
        where: where ?? process.where,
        isElevated: isElevated === true || process.isElevated,
        mounts: mounts ?? process.mounts,
      };
  for (const [name, value] of variables ?? []) inner.variables.set(name, value);
  if (folder !== undefined) inner.folder = absoluteValue(folder, process.folder);
  if (input !== undefined) inner.descriptors = new Map(process.descriptors).set(0, { input });
  return inner;
}

function workTreeOf({ folder, reading: { files, workDir } }: Process): string {
  for (let at = folder; at.startsWith("/") && at !== "/"; at = at.slice(0, at.lastIndexOf("/")) || "/")
    if (files?.exists?.(`${at}/.git`) === true) return at;
  return folder.startsWith(`${workDir}/`) ? workDir : folder;
}

/** What a row's function sees of the line. */
export function portOf(process: Process, runAsText = runText): LinePort {
  const { current } = process;
  const startIt = (how: Start, run: (inner: Process) => void) => {
    if (current !== undefined) current.isStarter = true;
    return captured(startIn(fork(process), how), run);
  };
  return {
    input: inputOf(process),
    folder: process.folder,
    variable: (name) => variable(process, name),
    ownVariable: (name) => process.variables.get(name),
    workTree: () => workTreeOf(process),
    target: (path) => findTarget(process, path),
    note: (name, targets) => note(process, name, targets),
    effect: (name, ...paths) => notePaths(process, name, paths),
    read: (path) => readFile(process, path),
    contentOf: (path) => contentOf(process, path),
    link: (from, to) => linkFile(process, from, to),
    isFolder: (path) => process.reading.files?.isFolder?.(findTarget(process, path).path),
    write: (path, content) => writeFile(process, path, content),
    create: (path, isNew = false) => createPath(process, path, isNew),
    print: (content) => print(process, printed(content)),
    start: (words, how = {}) => startIt(how, (inner) => runWords(inner, words)),
    startText: (text, how = {}) => startIt(how, (inner) => runAsText(inner, text)),
  };
}

/** A value as a word of a text that is parsed again. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}
