// Looks for changes of guarded paths in a shell text.
const { resolve } = require("node:path");
const { holdsGuarded, isGuarded, matching } = require("./guarded-paths.js");
const programs = require("./programs.js");
const { commandsOf } = require("./shell-text.js");

/** The first thing in a shell text that would change something guarded. */
function guardedChange(text, { cwd, home }) {
  return changesIn(text, cwd, home).next().value;
}

function* changesIn(text, start, home) {
  const commands = commandsOf(text).map((command) => ({
    ...command,
    ...programs.programOf(command.words ?? []),
  }));
  // What they print is run, or given to a program that changes it.
  const fed = new Set(commands.filter(programs.runsItsInput).map(({ pipeline }) => pipeline));
  const variables = new Map([["HOME", [home]]]);
  const left = [];
  let folder = start;
  for (const command of commands) {
    if (command.isOpening === true) left.push(folder);
    else if (command.isOpening === false) folder = left.pop() ?? folder;
    else {
      const isFed = fed.has(command.pipeline);
      variables.set("PWD", [folder]);
      folder = yield* changesBy(command, { folder, home, variables, isFed });
    }
  }
}

/** The changes by a simple command; returns the folder that the next one runs in. */
function* changesBy({ words, written, input, name, args }, { folder, home, variables, isFed }) {
  const values = (word) => expanded(word, variables);
  const inFolder = (base, word) => resolve(base, word.replace(/^~(?=[\\/]|$)/, home));
  const pathsOf = (base, word) => values(word).flatMap((each) => matching(inFolder(base, each)));
  for (const target of written) if (pathsOf(folder, target).some(isGuarded)) yield target;
  assign(words, variables, values);
  if (programs.isOwnDecision(words)) yield "tenterhook install, uninstall and trust";
  const [given] = words.includes("-C") ? values(words[words.indexOf("-C") + 1] ?? "") : [];
  const own = given === undefined ? folder : inFolder(folder, given);
  if (programs.isShell(name)) {
    const texts = name === "eval" ? [args.join(" ")] : args;
    for (const text of [...texts, ...input]) yield* changesIn(text, own, home);
    return folder;
  }
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

function assign(words, variables, values) {
  if (words[0] === "for" && words[2] === "in") variables.set(words[1], words.slice(3).flatMap(values));
  for (const word of words) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) variables.set(name, values(value));
    else if (!/^(?:export|local|readonly|declare)$/.test(word)) break;
  }
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
