import { ownField, shellQuoted, shellWord } from "@tenterhook/internal";
import { canonicalTools, type ToolKind, toolKind } from "@tenterhook/protocol/internal";
import type { CommandEffect, ReadCommandOptions, ShellLanguage } from "./effects.ts";
import { readCommand } from "./read-command.ts";

/** A call of a tool, as hooks get it. */
export interface CalledTool {
  readonly toolName: string;
  /** The tool's other names. */
  readonly aliases?: readonly string[] | undefined;
  readonly toolInput: Readonly<Record<string, unknown>> | undefined;
}

export interface ReadToolOptions extends ReadCommandOptions {
  /** What tools of a program are, by their names: `{ bash: "Shell", save: "WriteFile" }`. */
  readonly effectsOf?: Readonly<Record<string, string>> | undefined;
}

/**
 * What a call of a tool does; `undefined` for a tool that is not known. It never throws. What a file tool does is read as the command that
 * does the same. Content that it writes is not followed to where it is run.
 */
export function readToolEffects(
  call: CalledTool,
  options: ReadToolOptions,
): readonly CommandEffect[] | undefined {
  const names = namesOf(call, options.effectsOf);
  const kinds = new Set<ToolKind>(names.flatMap(kindsOf));
  if (kinds.size === 0) return undefined;
  const { toolInput: input = {}, toolName } = call;
  try {
    const run = kinds.delete("runs") ? readShellTool(input, names, options) : [];
    // By its line: a patch is the same by each of the names that its tool has.
    const others = new Map(
      [...kinds].flatMap((kind) => toCommands(kind, input)).map((each) => [each.line, each]),
    );
    const read = [...others.values()].slice(0, MAX_PARTS);
    const more = others.size > MAX_PARTS ? [unreadable(toolName, "it names too many files")] : [];
    return [...run, ...read.flatMap((each) => readSame(each, toolName, options)), ...more];
  } catch {
    // A getter or a proxy in the input.
    return [unreadable(toolName, "its input cannot be read")];
  }
}

/** So many files, or lines of a shell, are read of one call, and so many characters of these lines. */
const MAX_PARTS = 400;
const MAX_CHARACTERS = 100_000;

/** The effects of a command, as those of the tool that does the same. */
function readSame(
  { line, words }: SameCommand,
  toolName: string,
  options: ReadToolOptions,
): readonly CommandEffect[] {
  const command = `${toolName} ${words}`.trim();
  return readCommand(line, { ...options, shell: "posix" }).effects.map((effect) => ({ ...effect, command }));
}

/** What a name is in `effectsOf` counts in its place. */
function namesOf(
  { toolName, aliases = [] }: CalledTool,
  effectsOf: ReadToolOptions["effectsOf"],
): readonly string[] {
  const meant = effectsOf === undefined ? undefined : ownField(effectsOf, toolName);
  return meant === undefined ? [toolName, ...aliases] : [meant, ...canonicalTools(meant)];
}

function kindsOf(name: string): readonly ToolKind[] {
  const kind = toolKind(name);
  return kind === undefined ? [] : [kind];
}

const COMMANDS = ["command", "cmd", "commands", "script", "input"];
const FOLDERS = [
  "workdir",
  "work_dir",
  "workDir",
  "working_dir",
  "workingDir",
  "working_directory",
  "workingDirectory",
  "cwd",
  "dir_path",
  "directory",
  "dir",
];

function readShellTool(
  input: Readonly<Record<string, unknown>>,
  names: readonly string[],
  options: ReadToolOptions,
): readonly CommandEffect[] {
  const shell = options.shell ?? languageOf(names);
  const written = COMMANDS.flatMap((field) => linesOf(ownField(input, field), field === "commands"));
  const words = wordsAfter(input);
  const lines = written.map((line) => line + words);
  // A tool that watches an address where it has no command, or starts a program of its own.
  if (lines.length === 0 && textsOf(input, URLS).length > 0)
    return readSame(fetchCommand(input), names[0] ?? "", options);
  if (lines.length === 0) return [unreadable(names[0] ?? "", "it has no command that is known")];
  const [folder] = textsOf(input, FOLDERS);
  const start = folder === undefined || shell !== "posix" ? "" : `cd -- ${quotedPath(folder)}\n`;
  const effects: CommandEffect[] = [];
  let characters = 0;
  for (const [index, line] of lines.entries()) {
    characters += line.length;
    // One line that is too long is looked at by its text.
    if (index > 0 && (index >= MAX_PARTS || characters > MAX_CHARACTERS))
      return [...effects, unreadable(names[0] ?? "", "it has too many lines")];
    effects.push(...readCommand(start + line, { ...options, shell }).effects);
  }
  return effects;
}

/** The words of a tool that gets a program and its arguments apart. */
function wordsAfter(input: Readonly<Record<string, unknown>>): string {
  const args = ownField(input, "args");
  if (typeof args === "string") return ` ${args}`;
  const words = [args, ownField(input, "arguments")].filter(Array.isArray).flat();
  return words.map((word) => (typeof word === "string" ? ` ${shellWord(word)}` : "")).join("");
}

/** A list is one command in words, or, where the field says so, one command each. */
function linesOf(value: unknown, isSeveral: boolean): readonly string[] {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return [];
  if (isSeveral) return value.flatMap((each) => linesOf(each, false));
  const words = value.filter((each) => typeof each === "string");
  return words.length === 0 ? [] : [words.map(shellWord).join(" ")];
}

function languageOf(names: readonly string[]): ShellLanguage {
  const is = (language: RegExp) => names.some((name) => language.test(name));
  // Tools of MCP servers have it as a part of their name.
  if (is(/(?:^|[_-])(?:powershell|pwsh)(?=$|[._-])/i)) return "powershell";
  return is(/^cmd(?:\.exe)?$/i) ? "cmd" : "posix";
}

/** A command that does what a tool does, and what is shown in its place. */
interface SameCommand {
  readonly line: string;
  readonly words: string;
}

const PATHS = [
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "paths",
  "file_paths",
  "files",
  "include",
];
const URLS = ["url", "urls", "uri"];

function toCommands(kind: ToolKind, input: Readonly<Record<string, unknown>>): readonly SameCommand[] {
  if (kind === "nothing" || kind === "runs") return [];
  if (kind === "fetches") return [fetchCommand(input)];
  const patched = kind === "edits" || kind === "writes" || kind === "deletes" ? patchedFiles(input) : [];
  if (patched.length > 0) return patched.map(([each, path]) => fileCommand(each, path));
  const paths = textsOf(input, PATHS);
  // Without a path a search is in the working folder; any other tool is about a file that is not known.
  return (paths.length > 0 ? paths : [undefined]).map((path) => fileCommand(kind, path));
}

function fileCommand(
  kind: "reads" | "writes" | "edits" | "deletes" | "searches",
  path: string | undefined,
): SameCommand {
  const file = path === undefined ? (kind === "searches" ? "." : '"$UNKNOWN"') : quotedPath(path);
  const lines = {
    reads: `cat -- ${file}`,
    writes: `: > ${file}`,
    edits: `: >> ${file}`,
    deletes: `rm -- ${file}`,
    searches: `grep -r x -- ${file}`,
  };
  return { line: lines[kind], words: path ?? "" };
}

function fetchCommand(input: Readonly<Record<string, unknown>>): SameCommand {
  const urls = textsOf(input, URLS);
  const [method] = textsOf(input, ["method"]);
  const sent = textsOf(input, ["body", "data"]);
  const words = [
    ...urls,
    ...(method === undefined ? [] : ["-X", method]),
    ...sent.flatMap((text) => ["--data-raw", text]),
  ];
  // Some clients take the address from a prompt, which is for a model of their own.
  const found =
    urls.length > 0 ? [] : (textsOf(input, ["prompt"])[0]?.match(/https?:\/\/[^\s"'<>)]+/g) ?? []);
  return {
    line: `curl ${[...words, ...found].map(shellQuoted).join(" ")}`,
    words: [...urls, ...found].join(" "),
  };
}

const PATCHED = /^[ \t]*\*\*\* (?:(?<kind>Add|Update|Delete) File|Move to): (?<path>.+)$/gm;
const KINDS = { Add: "writes", Update: "edits", Delete: "deletes" } as const;

/** The files of a patch in the format of `apply_patch`, wherever in the input it is. */
function patchedFiles(input: Readonly<Record<string, unknown>>) {
  return Object.values(input).flatMap((value) => {
    if (typeof value !== "string" || !value.includes("*** Begin Patch")) return [];
    return [...value.matchAll(PATCHED)].map(({ groups }) => {
      const kind = KINDS[(groups?.kind ?? "Add") as keyof typeof KINDS];
      return [kind, groups?.path?.trim() ?? ""] as const;
    });
  });
}

/** All texts of some fields, and of lists in them; of an object the path that it names. */
function textsOf(input: Readonly<Record<string, unknown>>, fields: readonly string[]): readonly string[] {
  const read = (value: unknown): readonly string[] => {
    if (typeof value === "string") return value === "" ? [] : [value];
    if (Array.isArray(value)) return value.flatMap(read);
    const { path, file_path: filePath } = Object(value) as {
      readonly path?: unknown;
      readonly file_path?: unknown;
    };
    return [path, filePath].filter((each) => typeof each === "string");
  };
  return fields.flatMap((field) => read(ownField(input, field)));
}

/** A tool that does not know `~` would make a folder of that name, which is the lesser harm. */
function quotedPath(path: string): string {
  return path === "~" || path.startsWith("~/") ? `~${shellQuoted(path.slice(1))}` : shellQuoted(path);
}

function unreadable(command: string, reason: string): CommandEffect {
  return { name: "unreadable", targets: [], command, where: "here", isElevated: false, reason };
}
