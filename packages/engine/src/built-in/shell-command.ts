import { type CommandReading, readCommand } from "@tenterhook/commands";
import { globMatches } from "../match/matcher.ts";

/** Whatever ends one simple command and begins another, in any shell, quoted or not. */
const SEPARATORS = /[;&|()<>{}`\n\r]+/;

/** What makes a text more than one plain command, as far as letting it pass is concerned. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not slip through.
const CONTROL = /[;&|<>()`\u0000-\u0008\u000a-\u001f\u007f]|\$\{/;

/** Words that the real command follows. `find … -exec` and `xargs` start one too. */
const PREFIXES = new Set(
  (
    "sudo doas su env nohup time nice ionice timeout stdbuf setsid command builtin exec eval chroot unshare flock " +
    "strace watch xargs parallel find script ssh busybox toybox bash sh zsh dash ksh fish cmd powershell pwsh " +
    "if then elif else while until do ! coproc"
  ).split(" "),
);

/** A command line, as a rule of a tool policy meets it. */
export interface ShellCommand {
  /** The first character that makes it more than one plain command, if there is one. */
  readonly control: string | undefined;
  /** For rules that let pass: the whole line is one plain command, and the glob fits all of it. */
  fits(glob: string): boolean;
  /** For rules that refuse: the glob fits the line, or any simple command in it, however it is spelt. */
  contains(glob: string): boolean;
}

/** Reads a command line as text, and as bash reads it: this is neither a shell nor a sandbox. Words of a list have no quotes. */
export function readShellCommand(text: string, isList = false): ShellCommand {
  const line = text.trim();
  const control = CONTROL.exec(line)?.[0];
  let reading: CommandReading | undefined;
  const read = () => {
    reading ??= readCommand(line, { workDir: "/" });
    return reading;
  };
  const isPlain = () => control === undefined && (isList || isOneCommand(read()));
  let spellings: readonly Spelling[] | undefined;
  return {
    control,
    fits: (glob) => commandFits(glob, spaced(line)) && isPlain(),
    contains(glob) {
      spellings ??= listSpellings(line, read());
      return spellings.some(({ text, behindPrefix }) => {
        if (commandFits(glob, text)) return true;
        // Where the real command begins behind a prefix depends on the prefix's options; so any word may be it.
        return behindPrefix && (commandFits(`* ${glob}`, text) || commandFits(`*/${glob}`, text));
      });
    },
  };
}

/** Whether a shell would run a command, and could read the line. Without control characters it has no second one. */
function isOneCommand({ commands, effects }: CommandReading): boolean {
  return commands.length > 0 && !effects.some(({ name }) => name === "unreadable");
}

/** Spells a rule's glob as commands are spelt before they are compared. */
export function commandGlob(written: string): string {
  return spaced(written.trim());
}

/** `git *` also means `git` without arguments. */
function commandFits(glob: string, text: string): boolean {
  return globMatches(glob, text) || (glob.endsWith(" *") && globMatches(glob.slice(0, -2), text));
}

/** One way to read a simple command. */
interface Spelling {
  readonly text: string;
  readonly behindPrefix: boolean;
}

/**
 * Every simple command of a line, as bash reads it, and by its text: as written, without quotes and backslashes (`\rm`, `r"m"`), and with the
 * program's bare name (`/bin/rm`). Quoted text is split as well, since it may be on its way to another shell: a refusal that comes once too
 * often is the smaller mistake.
 */
function listSpellings(line: string, { commands }: CommandReading): readonly Spelling[] {
  const joined = line.replaceAll("\\\n", "").replaceAll(/\$\{?IFS\}?/g, " ");
  const spellings = new Map<string, Spelling>();
  const add = (text: string): void => {
    if (!spellings.has(text)) spellings.set(text, { text, behindPrefix: isBehindPrefix(text) });
  };
  for (const part of new Set([joined, ...joined.split(SEPARATORS)])) {
    const written = spaced(part).trim();
    if (written === "") continue;
    const bare = spaced(part.replaceAll(/["'\\]/g, "")).trim();
    add(written);
    add(bare);
    add(withBareProgram(bare));
  }
  for (const { words } of commands) {
    const read = spaced(words.join(" ")).trim();
    add(read);
    add(withBareProgram(read));
  }
  return [...spellings.values()];
}

function isBehindPrefix(text: string): boolean {
  const end = text.indexOf(" ");
  if (end < 0) return false;
  const first = text.slice(0, end);
  return PREFIXES.has(first) || /^[A-Za-z_]\w*\+?=/.test(first);
}

function withBareProgram(text: string): string {
  const end = text.indexOf(" ");
  const program = end < 0 ? text : text.slice(0, end);
  const name = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  return (name.endsWith(".exe") ? name.slice(0, -4) : name) + (end < 0 ? "" : text.slice(end));
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
