import type { CommandEffect, ReadCommandOptions } from "./effects.ts";
import { runWords } from "./interpret/command.ts";
import { runForeignText } from "./interpret/foreign.ts";
import { runText } from "./interpret/run.ts";
import {
  BOUNDS,
  BoundReached,
  type Descriptor,
  note,
  type Process,
  type Reading,
  type RunCommand,
} from "./interpret/state.ts";
import { isInPathSet, type PathSetPlace } from "./path-sets.ts";
import { findProgram } from "./programs/index.ts";
import { TERMINAL, withoutMarkers } from "./values.ts";

/** What a line runs, and what that does. */
export interface CommandReading {
  /** In the order in which they run, those that others start included. */
  readonly commands: readonly RunCommand[];
  readonly effects: readonly CommandEffect[];
}

/** Interprets a line of a shell without running it, and says what it would do. It never throws. */
export function readCommand(line: string, options: ReadCommandOptions): CommandReading {
  const process = createProcess(options);
  const text = withoutMarkers(line);
  try {
    if (line.length > BOUNDS.line) throw new BoundReached("it is too long");
    if (options.shell === "powershell" || options.shell === "cmd")
      runForeignText(process, text, options.shell);
    else runText(process, text);
    // What is written into a named pipe is read before it in the line.
    if (process.reading.commands.some(({ words }) => /^mk(?:fifo|nod)$/.test(words[0] ?? "")))
      runText(createProcess(options, process.reading), text);
  } catch (error) {
    readByText(createProcess(options, process.reading), text, error);
  }
  const { commands, effects } = process.reading;
  return { commands, effects };
}

function createProcess(options: ReadCommandOptions, reading = createReading(options)): Process {
  return {
    reading,
    folder: options.workDir.replace(/(.)\/$/, "$1"),
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    parameters: ["bash"],
    where: "here",
    isElevated: false,
    mounts: [],
    depth: 0,
    active: [],
    isParallel: false,
    command: "",
    descriptors: new Map<number, Descriptor>(
      options.isTyped === true
        ? [
            [0, { input: TERMINAL }],
            [1, {}],
          ]
        : [[1, {}]],
    ),
  };
}

function createReading({
  workDir,
  env = {},
  home = env.HOME,
  files,
  isTyped = false,
}: ReadCommandOptions): Reading {
  const secrets = new Map<string, boolean>();
  const place: PathSetPlace = { workDir, home, files };
  return {
    effects: [],
    keys: new Set(),
    commands: [],
    workDir,
    isTyped,
    home,
    env,
    files,
    contents: new Map(),
    made: new Set(),
    links: new Map(),
    consumers: new Map(),
    isSecret: (target) => {
      const known = secrets.get(target.path);
      if (known !== undefined) return known;
      const isSecret = SECRETS.some((set) => isInPathSet(set, target, place, "some"));
      secrets.set(target.path, isSecret && !isInPathSet("fixtures", target, place, "all"));
      return secrets.get(target.path) === true;
    },
    steps: BOUNDS.steps,
    room: BOUNDS.effects,
    texts: BOUNDS.texts,
    runWords,
    runForeign: runForeignText,
  };
}

/** What carries a secret to where it is sent. */
const SECRETS = ["secrets", "maybe-secrets"] as const;
/** So many more effects are noted then. */
const MORE_EFFECTS = 100;
/** So many parts of a line that is not interpreted are looked at. */
const MAX_PARTS = 10_000;

/** Beyond a bound: the programs of the tables that the text names, with the words behind them. */
function readByText(process: Process, line: string, error: unknown): void {
  const isDeep = error instanceof RangeError;
  const reason =
    error instanceof BoundReached ? error.message : isDeep ? "it is nested too deeply" : "it cannot be read";
  note(process, "unreadable", [], reason);
  process.reading.steps = BOUNDS.steps;
  process.reading.room = BOUNDS.effects + MORE_EFFECTS;
  const parts = line.slice(0, BOUNDS.line).split(/[;&|\n(){}`]+/, MAX_PARTS);
  // What is repeated does the same again.
  for (const part of new Set(parts)) {
    const words = part.slice(0, 1_000).trim().split(/\s+/);
    const at = words.findIndex((word) => findProgram(word.slice(word.lastIndexOf("/") + 1)) !== undefined);
    if (at < 0) continue;
    try {
      runWords(
        process,
        words.slice(at).map((word) => word.replace(/["'\\]/g, "")),
      );
    } catch {
      return;
    }
  }
}
