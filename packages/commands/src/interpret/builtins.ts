import { absoluteValue } from "../targets.ts";
import { CLASSES, ELEMENT, isKnown, isTyped, printed, UNKNOWN, unknownParts } from "../values.ts";
import { runFile, runText } from "./run.ts";
import { inputOf, note, type Process, print } from "./state.ts";
import { variable } from "./words.ts";

type Builtin = (process: Process, words: readonly string[]) => void;

/** Commands that change the shell itself, or print what the line says. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  cd: changeFolder,
  pushd: changeFolder,
  popd: (process) => changeFolder(process, ["-"]),
  eval: (process, words) =>
    runText(process, words.filter((word, index) => index > 0 || word !== "--").join(" ")),
  source: readScript,
  ".": readScript,
  export: (process, words) => declare({ ...process, locals: undefined }, words),
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  unset: (process, words) => {
    for (const name of words) for (const table of [process.variables, process.functions]) table.delete(name);
    // An unset variable is empty, and so is what is made of it.
    for (const name of words) if (/^\w+$/.test(name)) process.variables.set(name, "");
  },
  set: (process, words) => {
    const end = words.indexOf("--");
    if (end >= 0) process.parameters = [process.parameters[0] ?? "", ...words.slice(end + 1)];
    else if (words.length > 0 && !/^[-+]/.test(words[0] ?? ""))
      process.parameters = [process.parameters[0] ?? "", ...words];
    if (words.length === 0) print(process, CLASSES.environment);
  },
  shift: (process, [count = "1"]) => {
    process.parameters = [process.parameters[0] ?? "", ...process.parameters.slice(1 + (Number(count) || 1))];
  },
  read: readLine,
  mapfile: readLines,
  readarray: readLines,
  alias: (process, words) => {
    for (const word of words) {
      const equals = word.indexOf("=");
      if (equals > 0) process.aliases.set(word.slice(0, equals), word.slice(equals + 1));
    }
  },
  unalias: (process, words) => {
    for (const word of words) process.aliases.delete(word);
  },
  trap: (process, words) => {
    const [text = ""] = words.filter((word) => word !== "--");
    if (words.length > 1 && text !== "-") runText(process, text);
  },
  echo: (process, words) => {
    const options = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = printed(words.slice(options < 0 ? words.length : options).join(" "));
    const isEscaped = words.slice(0, options < 0 ? undefined : options).some((word) => word.includes("e"));
    print(process, isEscaped ? decodeEscapes(text) : `${text}\n`);
  },
  printf: printFormatted,
};

function changeFolder(process: Process, words: readonly string[]): void {
  const [folder] = words.filter((word) => !/^-[LPe@n]+$|^--$/.test(word));
  const before = process.folder;
  if (folder === undefined) process.folder = variable(process, "HOME") ?? UNKNOWN;
  else if (folder === "-") process.folder = variable(process, "OLDPWD") ?? UNKNOWN;
  else if (/^\+\d+$/.test(folder)) process.folder = UNKNOWN;
  else process.folder = absoluteValue(folder, before) || UNKNOWN;
  process.variables.set("OLDPWD", before);
}

function readScript(process: Process, words: readonly string[]): void {
  const [path, ...rest] = words[0] === "--" ? words.slice(1) : words;
  if (path !== undefined) runFile(process, path, rest.length > 0 ? [path, ...rest] : process.parameters);
}

/** `export -p` and `declare` print all variables. */
function declare(process: Process, words: readonly string[]): void {
  const names = words.filter((word) => !/^[-+]/.test(word));
  if (names.length === 0) print(process, CLASSES.environment);
  for (const word of names) {
    const [, name, sign, value] = /^(\w+)(\+?=)(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined) continue;
    keepOuter(process, name);
    const isReference = words.some((option) => /^-[a-zA-Z]*n/.test(option));
    const before = sign === "+=" ? (variable(process, name) ?? UNKNOWN) : "";
    process.variables.set(name, isReference ? UNKNOWN : before + value);
  }
}

/** What a function declares is its own. */
function keepOuter({ locals, variables }: Process, name: string): void {
  if (locals !== undefined && !locals.has(name)) locals.set(name, variables.get(name));
}

/** The first line of the input; the rest is left for the next one. */
function readLine(process: Process, words: readonly string[]): void {
  const names: string[] = [];
  let number = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^-[a-zA-Z]*u$/.test(word)) number = Number(words[++at]) || 0;
    else if (/^-[a-zA-Z]*[dinNpt]$/.test(word)) at++;
    else if (!word.startsWith("-")) names.push(word);
  }
  const descriptor = process.descriptors.get(number);
  const input = descriptor?.input ?? UNKNOWN;
  const end = input.indexOf("\n");
  const line = end < 0 ? input : input.slice(0, end);
  if (descriptor !== undefined && !isTyped(input)) descriptor.input = end < 0 ? "" : input.slice(end + 1);
  const isWhole = names.length < 2;
  const fields = isWhole ? [line.trim()] : line.trim().split(/\s+/);
  const isSplitUnknown = !isKnown(line) && !isWhole;
  for (const [index, name] of (names.length === 0 ? ["REPLY"] : names).entries()) {
    const rest = index === names.length - 1 ? fields.slice(index).join(" ") : (fields[index] ?? "");
    process.variables.set(name, isSplitUnknown ? UNKNOWN + unknownParts(line) : rest);
  }
}

function readLines(process: Process, words: readonly string[]): void {
  const name = words.findLast((word) => !word.startsWith("-")) ?? "MAPFILE";
  process.variables.set(name, inputOf(process).replace(/\n$/, "").replaceAll("\n", ELEMENT));
}

function printFormatted(process: Process, words: readonly string[]): void {
  const [first = "", second = ""] = words;
  const named = first === "-v" ? second : undefined;
  const [format = "", ...values] = words.slice(named !== undefined ? 2 : first === "--" ? 1 : 0);
  const text = formatted(format, values);
  if (named !== undefined) process.variables.set(named, text);
  else print(process, text);
  if (named === "") note(process, "unreadable", [], "printf has no name");
}

/** The format is used again until no value is left. */
function formatted(format: string, values: readonly string[]): string {
  const left = values.map(printed);
  let text = "";
  do {
    // Behind a backslash a quote is one in the format only.
    text += decodeEscapes(format.replace(/\\"/g, '"')).replace(
      /%(%|[-+ #0]*[\d*]*(?:\.[\d*]+)?([a-zA-Z]))/g,
      (whole, rest: string, kind: string) => {
        if (rest === "%") return "%";
        if (/[*.\d]/.test(rest)) return UNKNOWN + unknownParts(left.shift() ?? "");
        const value = left.shift() ?? "";
        if (kind === "b") return decodeEscapes(value);
        if (kind === "q")
          return /^[\w./=:@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
        return kind === "s" || kind === "d" || kind === "i" ? value : `${UNKNOWN}${unknownParts(whole)}`;
      },
    );
  } while (left.length > 0 && format.includes("%"));
  return text;
}

/** Backslashes as `printf` and `echo -e` read them: at most three octal digits, `\0162` is `\016` and `2`. */
function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const number = hex ?? short ?? long;
      if (number !== undefined) return fromCode(Number.parseInt(number, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
      return LETTERS[letter ?? ""] ?? whole;
    },
  );
}

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
  "\\": "\\",
};

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
