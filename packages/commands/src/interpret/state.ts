import type { SyntaxNode } from "unbash";
import type { CommandEffect, CommandFiles, EffectName, PathTarget, Target, Where } from "../effects.ts";
import { sendName } from "../programs/run-row.ts";
import { absoluteValue, nameTarget, type PathPlace, pathTarget } from "../targets.ts";
import { CLASSES, carries, FILE, TERMINAL, TYPED, UNKNOWN, unknownParts } from "../values.ts";

/** Beyond one of these, the rest of a line is not interpreted, and it is `unreadable`. */
export const BOUNDS = {
  /** Characters of the line. */
  line: 100_000,
  /** Commands and expansions. */
  steps: 3_000,
  /** Characters that are parsed again, as texts of `eval`, `sh -c` and scripts. */
  texts: 300_000,
  /** Substitutions, shells and functions inside of each other. */
  depth: 12,
  /** Characters of a value, and of what a command prints. */
  value: 100_000,
  /** Effects. */
  effects: 400,
  /** Words of a command. */
  words: 5_000,
  /** Alternatives of braces in a word. */
  braces: 64,
  /** Turns of a loop. */
  turns: 64,
} as const;

/** Thrown where a bound is reached. */
export class BoundReached extends Error {}

/** A command with its words: `…` stands for what is not known. */
export interface RunCommand {
  readonly words: readonly string[];
  readonly where: Where;
  /** What it reads is typed, if the line's input is. */
  readonly readsTyped: boolean;
  /** Its program is what was typed. */
  readonly runsTyped: boolean;
  /** It starts another command, or gives a text to a shell. */
  isStarter: boolean;
}

/** What is found in a line, and what the line did to files. */
export interface Reading {
  readonly effects: CommandEffect[];
  readonly keys: Set<string>;
  readonly commands: RunCommand[];
  readonly workDir: string;
  readonly isTyped: boolean;
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: CommandFiles | undefined;
  /** What files have that the line wrote. */
  readonly contents: Map<string, string>;
  readonly made: Set<string>;
  /** Where paths lead to that the line made. */
  readonly links: Map<string, string>;
  /** What gets the content of a file that is a command's input: `>(…)`. */
  readonly consumers: Map<string, (content: string) => void>;
  isSecret(target: PathTarget): boolean;
  steps: number;
  /** How many effects may be noted. */
  room: number;
  texts: number;
  /** Runs a command whose words are expanded. */
  readonly runWords: (process: Process, words: readonly string[]) => void;
  /** Runs a text that is no POSIX shell's. */
  readonly runForeign: (process: Process, text: string, language: "powershell" | "cmd") => void;
}

/** A shell, or a command that another one starts: what of it ends with it. */
export interface Process {
  readonly reading: Reading;
  folder: string;
  readonly variables: Map<string, string>;
  readonly functions: Map<string, SyntaxNode>;
  readonly aliases: Map<string, string>;
  parameters: readonly string[];
  readonly where: Where;
  readonly isElevated: boolean;
  readonly mounts: readonly { readonly from: string; readonly to: string }[];
  readonly depth: number;
  /** Functions that are being called. */
  readonly active: readonly string[];
  /** What variables of the function had before. */
  locals?: Map<string, string | undefined> | undefined;
  /** It runs beside what starts it: in a pipeline or in the background. */
  readonly isParallel: boolean;
  /** What is written in the line for the effects that it causes. */
  command: string;
  /** The command that is being run. */
  current?: RunCommand | undefined;
  descriptors: Descriptors;
}

/** Where a command reads and writes, by number. */
export type Descriptors = ReadonlyMap<number, Descriptor>;

export interface Descriptor {
  /** What is still to be read. */
  input?: string;
  /** What is written so far. */
  output?: string;
  readonly path?: string;
  readonly host?: string;
}

/** A process inside of another: what it changes ends with it. */
export function fork(process: Process, changes: Partial<Process> = {}): Process {
  const depth = process.depth + 1;
  if (depth > BOUNDS.depth) throw new BoundReached("it is nested too deeply");
  return {
    ...process,
    variables: new Map(process.variables),
    functions: new Map(process.functions),
    aliases: new Map(process.aliases),
    ...changes,
    depth: changes.depth ?? depth,
  };
}

export function step({ reading }: Process): void {
  if (--reading.steps < 0) throw new BoundReached("it has too many commands");
}

/** A value that is not longer than values may be. */
export function bounded(value: string): string {
  if (value.length > BOUNDS.value) throw new BoundReached("a value is too long");
  return value;
}

export function note(
  process: Process,
  name: EffectName,
  targets: readonly Target[] = [],
  reason?: string,
): void {
  const { reading, command, where, isElevated } = process;
  const key = `${name} ${where} ${targets.map((each) => (each.type === "path" ? `${each.path} ${each.isMade}` : each.name)).join(" ")}`;
  if (reading.keys.has(key)) return;
  if (reading.effects.length >= reading.room && name !== "unreadable")
    throw new BoundReached("it has too many effects");
  reading.keys.add(key);
  reading.effects.push({
    name,
    targets,
    command,
    where,
    isElevated,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** What a text that is run has from elsewhere. */
export function noteExecution(process: Process, text: string): void {
  for (const kind of ["remote", "connection", "decoded"] as const)
    if (text.includes(CLASSES[kind])) note(process, `execute.${kind}`);
}

/** An effect on each of some paths. */
export function notePaths(process: Process, name: EffectName, paths: readonly string[]): void {
  if (paths.length === 0) note(process, name);
  for (const path of paths) {
    const { on, target } = locate(process, path);
    note(on, name, [target]);
  }
}

export function findTarget(process: Process, path: string): ReturnType<typeof pathTarget> {
  return locate(process, path).target;
}

/** The path, where it is: what a container sees of this machine is here. */
function locate(process: Process, path: string): { target: ReturnType<typeof pathTarget>; on: Process } {
  const { reading, folder, mounts, where } = process;
  const { made, links } = reading;
  const place: PathPlace = { folder, files: where === "here" ? reading.files : undefined, made, links };
  const target = pathTarget(path, place);
  for (const { from, to } of mounts) {
    const isAbove = to === "/" || target.path === to || target.path.startsWith(`${to}/`);
    // What is deleted above a mount is deleted in it, too.
    const isBelow = to.startsWith(target.path === "/" ? "/" : `${target.path.replace(/\/\*+$/, "")}/`);
    if (!isAbove && !isBelow) continue;
    const rest = isAbove ? absoluteValue(path, folder).slice(to === "/" ? 0 : to.length) : "";
    return {
      target: pathTarget(from + rest, { ...place, files: reading.files }),
      on: { ...process, where: "here" },
    };
  }
  return { target, on: process };
}

/** What a file has, as far as the line says. */
export function contentOf(process: Process, path: string): string {
  const { target } = locate(process, path);
  const known = process.reading.contents.get(target.path);
  if (known !== undefined) return known + unknownParts(path);
  if (/^\/dev\/(?:tcp|udp)\//.test(target.path)) return CLASSES.connection;
  if (target.path === "/dev/null") return "";
  if (target.path === "/dev/tty" && process.reading.isTyped) return TERMINAL;
  if (/^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(target.path))
    return process.descriptors.get(0)?.input ?? UNKNOWN;
  const secret = process.where === "here" && process.reading.isSecret(target) ? CLASSES.secret : "";
  return FILE + secret + (target.isGlob ? CLASSES.folder : "") + unknownParts(path);
}

export function readFile(process: Process, path: string): string {
  if (path === "-" || path === "") return inputOf(process);
  const { target, on } = locate(process, path);
  note(on, "read", [target]);
  return contentOf(process, path);
}

export function writeFile(process: Process, path: string, content: string, isAppended = false): void {
  const { target, on } = locate(process, path);
  const { contents, consumers } = process.reading;
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target.path)?.[1];
  if (host !== undefined) {
    note(process, sendName(content), [nameTarget("host", host)]);
    return;
  }
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,2})$/.exec(target.path) ?? [];
  if (number !== undefined) {
    print(process, content, Number(number));
    return;
  }
  const isDevice = target.path.startsWith("/dev/") && !/^\/dev\/(?:shm|fd)\//.test(target.path);
  note(on, isDevice ? "device" : "write", [target]);
  if (target.path === "/proc/sysrq-trigger") note(on, "power");
  if (carries(content, "secret") && !isDevice) note(on, "write.secret", [target]);
  consumers.get(target.path)?.(content);
  const before = isAppended ? (contents.get(target.path) ?? "") : "";
  if (target.known !== "known") return;
  contents.set(target.path, bounded(before + content));
}

/** What one path has is at another one, too. */
export function linkFile(process: Process, from: string, to: string): void {
  const content = contentOf(process, from);
  const source = locate(process, from).target;
  const { target, on } = locate(process, to);
  const host = /^\/dev\/(?:tcp|udp)\//.test(target.path);
  if (host || target.path.startsWith("/dev/")) {
    writeFile(process, to, content);
    return;
  }
  note(on, "write", [target]);
  if (target.known !== "known") return;
  process.reading.contents.set(target.path, content);
  if (source.known === "known") process.reading.links.set(target.path, source.resolved);
}

export function restore({ variables }: Process, name: string, value: string | undefined): void {
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}

/** What was there before is not made by this line: `mkdir -p /etc` succeeds. */
export function createPath(process: Process, path: string, isNew: boolean): void {
  const { target } = locate(process, path);
  const { files, made } = process.reading;
  if (target.known === "known" && (isNew || files?.exists?.(target.path) === false)) made.add(target.path);
}

export function inputOf(process: Process): string {
  return process.descriptors.get(0)?.input ?? "";
}

/** Prints to a descriptor of the process; `1` is its output. */
export function print(process: Process, text: string, number = 1): void {
  const descriptor = process.descriptors.get(number);
  if (descriptor === undefined || text === "") return;
  const { path, host } = descriptor;
  descriptor.output = bounded((descriptor.output ?? "") + text.replaceAll(TERMINAL, TYPED));
  if (host !== undefined) note(process, sendName(text), [nameTarget("host", host)]);
  if (path !== undefined) writeFile(process, path, text, true);
}

/** What a command prints, of which only the output counts. */
export function captured(process: Process, run: (inner: Process) => void, input?: string): string {
  const output: Descriptor = { output: "" };
  const descriptors = new Map(process.descriptors).set(1, output);
  if (input !== undefined) descriptors.set(0, { input });
  run({ ...process, descriptors });
  return output.output ?? "";
}
