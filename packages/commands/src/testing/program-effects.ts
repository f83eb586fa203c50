import type { Target } from "../effects.ts";
import { findProgram } from "../programs/index.ts";
import type { Start } from "../programs/row.ts";
import { type LinePort, runRow } from "../programs/run-row.ts";
import { absoluteValue, pathTarget } from "../targets.ts";
import { CLASSES, STAR, UNKNOWN } from "../values.ts";

export interface ProgramPlace {
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly contents?: Readonly<Record<string, string>>;
}

/**
 * What the rows of programs say about one command, without a shell around it. `…` is a word that is not known, `§` a `*` that the shell fills in,
 * and what the command prints is the last entry, as the names of the classes that it has.
 */
export function programEffects(command: string, place: ProgramPlace = {}): string[] {
  const effects: string[] = [];
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
    ([whole, single, double]) => single ?? double ?? whole,
  );
  const values = words.map((word) => word.replaceAll("…", UNKNOWN).replaceAll("§", STAR));
  const printed = runProgram(values, "/repo", place, effects);
  const classes = Object.entries(CLASSES).filter(([, marker]) => printed.includes(marker));
  return classes.length === 0 ? effects : [...effects, `prints ${classes.map(([name]) => name).join(" ")}`];
}

function runProgram(
  words: readonly string[],
  folder: string,
  place: ProgramPlace,
  effects: string[],
): string {
  const [name = "", ...rest] = words;
  let output = "";
  const note = (effect: string, targets: readonly string[]) => effects.push([effect, ...targets].join(" "));
  const pathOf = (path: string) => pathTarget(path, { folder, files: undefined, made: new Set() }).path;
  const textOf = (target: Target) => (target.type === "path" ? target.path : target.name);
  const contentOf = (path: string) =>
    place.contents?.[pathOf(path)] ?? (/\.ssh|\.env$/.test(path) ? CLASSES.secret : UNKNOWN);
  const inner = (started: readonly string[], { folder: to, input, variables = [] }: Start) => {
    const given = { ...place.variables, ...Object.fromEntries(variables) };
    const inside = { ...place, variables: given, ...(input === undefined ? {} : { input }) };
    return runProgram(started, to === undefined ? folder : absoluteValue(to, folder), inside, effects);
  };
  const line: LinePort = {
    input: place.input ?? "",
    folder,
    note: (effect, targets) => note(effect, targets.map(textOf)),
    effect: (effect, ...paths) => note(effect, paths.map(pathOf)),
    variable: (variable) => place.variables?.[variable],
    ownVariable: (variable) => place.variables?.[variable],
    workTree: () => folder,
    target: (path) => pathTarget(path, { folder, files: undefined, made: new Set() }),
    read(path) {
      if (path === "-" || path === "") return place.input ?? "";
      note("read", [pathOf(path)]);
      return contentOf(path);
    },
    contentOf,
    write: (path) => note("write", [pathOf(path)]),
    create: () => {},
    isFolder: () => undefined,
    link: (_from, to) => effects.push(`write ${pathOf(to)}`),
    print(content) {
      output += content;
    },
    start: (started, how = {}) => inner(started, how),
    startText: (text) => `${note("run", [text])}`,
  };
  const row = findProgram(name);
  if (row === undefined && !name.startsWith("git-")) note("start", words);
  else if (row !== undefined) runRow(row, name, rest, line);
  return output;
}
