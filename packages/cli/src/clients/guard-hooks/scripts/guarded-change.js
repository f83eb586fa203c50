// Looks for changes of guarded paths in a shell text.
const { resolve } = require("node:path");
const { isText, readCommands, writesFile } = require("./commands.js");
const { holdsGuarded, isGuarded, matching } = require("./guarded-paths.js");
const programs = require("./programs.js");

/** The first thing in a shell text that would change something guarded. */
function guardedChange(text, { cwd, home }) {
  // In the paths of Windows a backslash separates folders.
  const texts = new Set([text, text.replace(/\\(?=[\w.])/g, "/")]);
  // A line with a mistake may be one of another shell, or run in parts.
  if (readCommands(text).problem !== undefined)
    for (const part of text.split(/[;&|\n(){}`]+/)) texts.add(part);
  for (const each of texts) {
    const found = changesIn(each, cwd, home).next().value;
    if (found !== undefined) return found;
  }
  return undefined;
}

function* changesIn(text, start, home) {
  const { commands } = readCommands(text);
  const fed = feedingCommands(commands);
  const variables = new Map([["HOME", [home]]]);
  /** The folder of each shell. */
  const folders = new Map();
  for (const command of commands) {
    const { scope } = command;
    const folder = folderOf(scope, folders) ?? start;
    variables.set("PWD", [folder]);
    folders.set(scope, yield* changesBy(command, { folder, home, variables, isFed: fed.has(command) }));
  }
}

/** The commands whose output is run, or given to a program that changes what it names, and such programs but shells. */
function feedingCommands(commands) {
  const found = new Set();
  const addInput = ({ input }) => {
    if (Array.isArray(input)) input.forEach(add);
  };
  const add = (command) => {
    if (found.has(command)) return;
    found.add(command);
    addInput(command);
  };
  for (const command of commands) {
    const program = programs.programOf(wordsOf(command));
    if (programs.runsItsInput(program)) (programs.isShell(program.name) ? addInput : add)(command);
  }
  return found;
}

function wordsOf({ words }) {
  return words.map(({ value }) => value);
}

function folderOf(scope, folders) {
  return scope === undefined ? undefined : (folders.get(scope) ?? folderOf(scope.outer, folders));
}

/** The changes by a simple command; returns the folder that the next one runs in. */
function* changesBy(command, { folder, home, variables, isFed }) {
  const words = wordsOf(command);
  const { name, args } = programs.programOf(words);
  const input = command.redirections.filter(isText).map(({ target }) => target.value);
  const values = (word) => expanded(word, variables);
  const inFolder = (base, word) => resolve(base, word.replace(/^~(?=[\\/]|$)/, home));
  const pathsOf = (base, word) => values(word).flatMap((each) => matching(inFolder(base, each)));
  for (const { target } of command.redirections.filter(writesFile))
    if (pathsOf(folder, target.value).some(isGuarded)) yield target.value;
  for (const assignment of command.assignments)
    variables.set(
      assignment.name,
      assignment.values.flatMap(({ value }) => values(value)),
    );
  if (programs.isOwnDecision(words)) yield "tenterhook install, uninstall and trust";
  const [given] = words.includes("-C") ? values(words[words.indexOf("-C") + 1] ?? "") : [];
  const own = given === undefined ? folder : inFolder(folder, given);
  // What a shell starts is a command of its own.
  if (programs.isShell(name)) return folder;
  if (/^(?:cd|pushd)$/.test(name)) {
    const entered = args.find((word) => !/^-./.test(word)) ?? home;
    return entered === "-" ? folder : inFolder(folder, values(entered)[0] ?? "");
  }
  if (isFed) for (const text of [args.join(" "), ...input]) yield* changesIn(text, own, home);
  else if (programs.isReading(name, args)) return folder;
  for (const word of programs.changedBy(name, args, input))
    for (const each of [word, ...word.split(/[\s<>()"'`=;&|,]+/)])
      if (each !== "" && pathsOf(own, each).some(isGuarded)) yield each;
  for (const word of isFed ? args : programs.takenAwayBy(name, args))
    for (const each of /\$\(|`/.test(word) ? word.split(/[\s()`$]+/) : [word])
      if (each !== "" && pathsOf(own, each).some(holdsGuarded)) yield each;
  return folder;
}

/** What a word stands for, with known variables and lists in braces. */
function expanded(word, variables) {
  let found = [""];
  let end = 0;
  for (const { 0: whole, 1: name, 2: list, index } of word.matchAll(
    /\$\{?(\w+)\}?|\{([^{},\s]*(?:,[^{},\s]*)+)\}/g,
  )) {
    const before = word.slice(end, index);
    const values = list?.split(",") ?? variables.get(name) ?? [whole];
    found = found.flatMap((begin) => values.map((value) => begin + before + value)).slice(0, 100);
    end = index + whole.length;
  }
  return found.map((begin) => begin + word.slice(end));
}

module.exports = { guardedChange };
