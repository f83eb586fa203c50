/** What a shell would run of a line. */
export interface CommandLine {
  /** In the order in which they are written; what a command substitutes stands before it, and what it starts behind it. */
  readonly commands: readonly SimpleCommand[];
  /** Why a part of the line cannot be read. `commands` has the rest: a shell may run what stands before a mistake. */
  readonly problem: string | undefined;
}

/** One program with its arguments. Without words: assignments, or the redirections of a group of commands. */
export interface SimpleCommand {
  /** The program first. */
  readonly words: readonly Word[];
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly Redirection[];
  readonly input: CommandInput;
  readonly scope: CommandScope;
  /** The command that starts it: `sudo` of `sudo ls`, `sh` of `sh -c ls`. */
  readonly starter: SimpleCommand | undefined;
}

/** A word as the shell gives it to a program. */
export interface Word {
  /** Without quotes. What the shell would fill in stays as it is written: `$HOME`, `*.txt`, `$(date)`. */
  readonly value: string;
  /** Whether the program gets `value`: the shell fills nothing in. */
  readonly isLiteral: boolean;
}

/** `name=value`. `for name in …` has each value that the variable gets. */
export interface CommandAssignment {
  readonly name: string;
  readonly values: readonly Word[];
}

export interface Redirection {
  readonly operator: "<" | "<>" | "<&" | ">" | ">>" | ">|" | ">&" | "&>" | "&>>" | "<<" | "<<-" | "<<<";
  /** The number before the operator. */
  readonly descriptor: number | undefined;
  /** A file, a descriptor, or the text after `<<` and `<<<`. */
  readonly target: Word;
}

/** What a command reads: the input of the whole line, a file or a text, or what the commands before it in a pipeline print. */
export type CommandInput = "inherited" | "given" | readonly SimpleCommand[];

/**
 * A shell or program of its own, such as that of `( … )`, of a substitution, of `sh -c` and of what `env` starts: its folder and its variables end
 * with it. Commands of a pipeline, and those in the background, are read as if they had none.
 */
export interface CommandScope {
  readonly outer: CommandScope | undefined;
}

const WRITES = new Set([">", ">>", ">|", ">&", "&>", "&>>", "<>"]);
/** Reading from these is still to read the input of the line. */
const INHERITED_INPUT = /^(?:\/dev\/(?:stdin|tty|fd\/0)|\/proc\/self\/fd\/0|0|-)$/;

/** Whether a redirection writes to a file. */
export function writesFile({ operator, target }: Redirection): boolean {
  return WRITES.has(operator) && !(operator === ">&" && /^(?:\d+-?|-)$/.test(target.value));
}

/** Whether a redirection is the text of the line itself, after `<<` or `<<<`. */
export function isText({ operator }: Redirection): boolean {
  return operator.startsWith("<<");
}

/** Whether a file is the input of whoever opens it. */
export function isInheritedInput(path: string): boolean {
  return INHERITED_INPUT.test(path);
}

/** The name of a program without its folder. */
export function programName(word: Word | undefined): string {
  const path = word?.value ?? "";
  return path.slice(path.lastIndexOf("/") + 1);
}
