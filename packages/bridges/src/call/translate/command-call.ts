import { isRecord, shellQuoted } from "@tenterhook/internal";
import { UnreadableCall } from "../read/read-call.ts";
import { changedNative, type Input, isSame, type NativeCall } from "./canonical-call.ts";

/** Where the value of a native argument `command` is kept while the canonical one has all commands of the call as text. */
const KEPT = "native_command";

/**
 * A call of a tool without a canonical name. One that is given a command is also found by matchers of Shell, and has the command in the
 * canonical argument `command`; its own arguments stay, for hooks that are written for the tool itself.
 */
export function unmappedCall(name: string, input: Input): NativeCall {
  const found = findCommands(input);
  if (found === undefined)
    return {
      isUnmapped: true,
      calls: [{ name, input }],
      putBack: ([changed]) => changed && changedNative(input, input, changed, {}),
    };
  const { text, argument } = found;
  const canonical = text === undefined || argument === "command" ? input : withCommand(input, text);
  return {
    isUnmapped: true,
    calls: [{ name, input: canonical, ...(name !== "Shell" && { aliases: ["Shell"] }) }],
    ...(canonical !== input && { copies: ["command"] }),
    putBack: ([changed]) => changed && withoutCommand(input, canonical, changed, argument),
  };
}

function withCommand(input: Input, text: string): Input {
  if (!Object.hasOwn(input, "command")) return { ...input, command: text };
  if (Object.hasOwn(input, KEPT)) throw new UnreadableCall(`the call has two values for ${KEPT}`);
  return { ...input, command: text, [KEPT]: input.command };
}

/** The native input after a change; `undefined` when the change is not one of exactly one native argument that has the command. */
function withoutCommand(
  input: Input,
  canonical: Input,
  changed: Input,
  argument: string | undefined,
): Input | undefined {
  if (canonical === input) return changedNative(input, input, changed, {});
  const { command = canonical.command, [KEPT]: kept, ...rest } = changed;
  if (Object.hasOwn(canonical, KEPT)) {
    if (command !== canonical.command || (kept !== undefined && !isSame(kept, canonical[KEPT])))
      return undefined;
    return changedNative(input, input, { ...rest, command: input.command }, {});
  }
  const others = kept === undefined ? rest : { ...rest, [KEPT]: kept };
  if (command === canonical.command) return changedNative(input, input, others, {});
  if (argument === undefined || typeof command !== "string") return undefined;
  const own = Object.hasOwn(others, argument) ? others[argument] : command;
  if (own !== command && own !== input[argument]) return undefined;
  return changedNative(input, input, { ...others, [argument]: command }, {});
}

/** The commands that the arguments of a tool without a canonical name contain. */
export interface CommandArguments {
  /** All of them, one below the other; `undefined` when the arguments are too many to be read through. */
  readonly text: string | undefined;
  /** The argument, where one text at the top is all there is: only then a changed command can be put back. */
  readonly argument: string | undefined;
}

/** As they are called without case, separators and plural. */
const COMMANDS = new Set(["command", "cmd", "script", "shellcommand", "commandline", "cmdline"]);
/** Their value may be the arguments of another tool, as JSON text. */
const ARGUMENTS = new Set([
  "argument",
  "arg",
  "input",
  "toolinput",
  "param",
  "parameter",
  "kwarg",
  "payload",
]);
const LONGEST_NAME = 64;
const DEEPEST = 4;
const MAX_VALUES = 5_000;

/** Finds the commands in a tool's arguments, also in nested ones; `undefined` when there are none. */
export function findCommands(input: Readonly<Record<string, unknown>>): CommandArguments | undefined {
  const search = new Search();
  search.read(input, DEEPEST);
  const { texts, isComplete } = search;
  if (texts.length === 0) return isComplete ? undefined : { text: undefined, argument: undefined };
  const [argument] = Object.keys(input).filter((key) => isNamed(COMMANDS, key));
  const isPlain = texts.length === 1 && argument !== undefined && input[argument] === texts[0];
  return { text: [...new Set(texts)].join("\n"), argument: isPlain ? argument : undefined };
}

/**
 * A list as one command line. A list may also be of whole commands: those of its items that have blanks are commands below it, so that a
 * guard sees both readings.
 */
export function commandLine(list: readonly unknown[]): string {
  const items = list.map((item) => (typeof item === "string" ? item : (JSON.stringify(item) ?? "")));
  return [items.map(quoted).join(" "), ...items.filter((item) => /\s/.test(item))].join("\n");
}

class Search {
  readonly texts: string[] = [];
  isComplete = true;
  #values = 0;

  read(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || !this.isComplete) return;
    if (depth < 0) {
      this.isComplete = false;
      return;
    }
    for (const [key, part] of Object.entries(value)) {
      if (++this.#values > MAX_VALUES) {
        this.isComplete = false;
        return;
      }
      // A list is not a level of its own.
      if (Array.isArray(value)) this.read(part, isRecord(part) ? depth : depth - 1);
      else if (isNamed(COMMANDS, key))
        // At the top the arguments stay apart, beside the command.
        this.#take(depth < DEEPEST && typeof part === "string" ? part + argumentsBeside(value) : part, depth);
      else if (typeof part === "string") {
        if (isNamed(ARGUMENTS, key)) this.read(parsed(part), depth - 1);
      } else this.read(part, depth - 1);
    }
  }

  #take(value: unknown, depth: number): void {
    if (typeof value === "string") this.texts.push(value);
    if (typeof value !== "object" || value === null) return;
    const before = this.texts.length;
    this.read(value, depth - 1);
    if (this.texts.length > before) return;
    this.texts.push(Array.isArray(value) ? commandLine(value) : JSON.stringify(value));
  }
}

/** The arguments of a command that are given as a list beside it. */
function argumentsBeside(value: object): string {
  const { args } = value as { readonly args?: unknown };
  return Array.isArray(args) ? ` ${commandLine(args)}` : "";
}

function isNamed(names: ReadonlySet<string>, key: string): boolean {
  if (key.length > LONGEST_NAME) return false;
  const letters = key.toLowerCase().replaceAll(/[^a-z]/g, "");
  return names.has(letters) || (letters.endsWith("s") && names.has(letters.slice(0, -1)));
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quoted(item: string): string {
  return item === "" || /[^\w@%+=:,./~-]/.test(item) ? shellQuoted(item) : item;
}
