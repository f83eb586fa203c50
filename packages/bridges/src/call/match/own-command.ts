import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallText } from "@tenterhook/internal/files";
import type { Step } from "../translate/translate.ts";

/** What only a person may run: it makes less enforced, or answers for the person. */
const COMMANDS = "allow|trust|disable|enforce|remove";
const RULES_COMMANDS = "remove|update";
const IS_COMMAND = new RegExp(`^(?:${COMMANDS}|rules (?:${RULES_COMMANDS}))(?: |$)`);
/** A part of every such command, however it is started. */
const HAS_COMMAND = new RegExp(`\\b(?:${COMMANDS}|rules)\\b`);
/** A program that is named by a path, or by what the shell fills in. */
const MAY_BE_OTHER_PROGRAM = /[/$`*?{[]|\.[cm]?js\b/;
/** The command in a text that is not read as a line of a shell. */
const IN_TEXT = new RegExp(
  `(?:^|[^\\w.-])tenterhook(?:\\.\\w+|@[\\w.^~-]+|[)\`}]+)?(?:\\s+-\\S+)*\\s+(?:${COMMANDS}|rules\\s+(?:${RULES_COMMANDS}))\\b`,
  "i",
);
const OWN_NAME = /^(?:npm:)?tenterhook(?:\.(?:c?js|cmd|exe|ps1)|@.*)?$/i;
/** They start the program, script or package that one of their words names. */
const STARTERS =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|npx|pnpx|bunx|npm|pnpm|yarn|corepack|volta|script|expect|screen)$/;
/** They start it, or type it, in a terminal that was not started by the agent. */
const TERMINALS =
  /^(?:tmux|byobu|xterm|x-terminal-emulator|gnome-terminal|konsole|alacritty|kitty|foot|wezterm|osascript)$/;
/** They print where a program is, for another command to start it. */
const LOCATORS = /^(?:which|command|type|whereis|readlink|realpath)$/;
/** Effects of lines that run what is not known, or that cannot be read. */
const IS_UNKNOWN = /^(?:unreadable|execute\.unknown)$/;

/** Whether a call may run such a command. It is asked about every call, so it only searches the text. */
function mayRunOwnCommand(steps: readonly Step[]): boolean {
  return shellLines(steps).some((line) => {
    const text = withoutQuotes(line);
    return /tenterhook/i.test(text) || (HAS_COMMAND.test(text) && MAY_BE_OTHER_PROGRAM.test(text));
  });
}

/** The command of Tenterhook that a call runs and that only a person may run: `tenterhook allow`. */
export async function findOwnCommand(
  steps: readonly Step[],
  place: { readonly workDir: string; readonly home: string | undefined },
): Promise<string | undefined> {
  if (!mayRunOwnCommand(steps)) return undefined;
  const { programName, readCommand } = await import("@tenterhook/commands");
  for (const line of shellLines(steps)) {
    const { commands, effects } = readCommand(line, place);
    let isText = effects.some(({ name }) => IS_UNKNOWN.test(name));
    let folder = place.workDir;
    for (const { words } of commands) {
      const [program = "", target = ""] = words;
      if (program === "cd") folder = resolve(folder, target);
      const name = programName(program);
      isText ||= LOCATORS.test(name) && /tenterhook/i.test(words.join(" "));
      const found = inWords(words, STARTERS.test(name) || TERMINALS.test(name), folder);
      if (found !== undefined) return found;
    }
    const found = isText ? inText(line) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

interface ToolPayload {
  readonly toolName?: string;
  readonly toolAliases?: readonly string[];
  readonly toolInput?: { readonly command?: unknown; readonly args?: unknown };
}

function shellLines(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ event, payload }) => {
    const { toolName, toolAliases = [], toolInput = {} } = payload as ToolPayload;
    const { command: line, args } = toolInput;
    // A tool without a canonical name that is given a command is a shell by its alias.
    const isShell = [toolName, ...toolAliases].includes("Shell");
    if (event !== "before_tool" || !isShell || typeof line !== "string") return [];
    return Array.isArray(args) ? [line, [line, ...args].join(" ")] : line;
  });
}

function inText(text: string): string | undefined {
  const [found] = IN_TEXT.exec(withoutQuotes(text)) ?? [];
  return found?.replace(/^\W+/, "").replace(/[)`}]/g, "");
}

function withoutQuotes(line: string): string {
  return line.replaceAll(/["'\\]/g, "");
}

function inWords(words: readonly string[], isStarter: boolean, folder: string): string | undefined {
  for (const [at, word] of words.entries()) {
    if (at > 0 && !isStarter) return undefined;
    const started = isStarter ? inText(word) : undefined;
    if (started !== undefined) return started;
    const rest = words.slice(at + 1).filter((each) => !each.startsWith("-"));
    const [command] = IS_COMMAND.exec(rest.join(" ")) ?? [];
    if (command !== undefined && isOwnProgram(word, folder)) return `tenterhook ${command.trim()}`;
  }
  return undefined;
}

/** Whether a word names Tenterhook: by its name, or as a file of its package. */
function isOwnProgram(word: string, folder: string): boolean {
  if (OWN_NAME.test(word.slice(word.lastIndexOf("/") + 1))) return true;
  if (!/[/\\]|\.[cm]?js$/.test(word)) return false;
  try {
    return packageName(realpathSync(resolve(folder, word))) === "tenterhook";
  } catch {
    // There is no such file, so it cannot be started.
    return false;
  }
}

/** The name of the package that a file belongs to. */
function packageName(file: string): string | undefined {
  for (let above = dirname(file); above !== dirname(above); above = dirname(above)) {
    const found = readSmallText(join(above, "package.json"));
    if (found === undefined || !("text" in found)) continue;
    const { name } = JSON.parse(found.text) as { readonly name?: unknown };
    if (typeof name === "string") return name;
  }
  return undefined;
}
