/*
 * How a row of a program's table is written.
 *
 *   "cp": { values: "t=write S suffix", operands: "read* write" }
 *
 * - The key has one or more names of programs, with spaces between. A number at the end of a name (`python3.12`), a folder and `.exe` do not matter.
 * - `values` are the options that take a value: letters are short, longer names are long ones. `=ROLE` says what the value is. Options that are
 *   switches need no entry. `x?` has its value only in the same word (`-i.bak`), and then the rest of the word is no letters.
 * - `switches` are those that may be abbreviated (`--for`), besides those that the row names elsewhere.
 * - `operands` has a ROLE for each word that is neither an option nor a value. One of them may end with `*`: as many as there are.
 * - A ROLE is `-` (nothing), `read`, `use` (it is read, and not printed), `write`, `send` (a file that is sent), `host`, `name` (a target of `effects`), `code` (a text for a shell),
 *   `program` (it and all words after it are a command), or the name of an effect which a path has: `delete.recursive`, `device`, `permissions`.
 * - `effects` happen without a path, such as `power`; their targets are the words with the roles `name` and `host`.
 * - `when` changes the row if one of the options in its key is there. All that apply count, the later ones win. `commands` are subcommands, which
 *   take the options of the row, too; `*` is any other subcommand.
 * - `harmless` are the options with which nothing happens, besides `--help` and `--version`: dry runs and lists.
 * - `prints` is what the program writes to its output: `content` (what it has read: files of the role `read`, else its input), `decoded` (made
 *   of it by a decoder), `remote`, `secret`, `environment`, `own` (a text of its own that may be run), `nothing`. Default: an unknown text,
 *   with the classes of what went in.
 * - `run` is a function for what a row cannot say. It comes after the rest of the row. See `Call` for what it can ask and do.
 */
import type { EffectName, PathTarget } from "../effects.ts";

export interface Row {
  readonly values?: string;
  readonly switches?: string;
  readonly operands?: string;
  readonly effects?: string;
  readonly when?: Readonly<Record<string, Omit<Row, "commands" | "when">>>;
  readonly commands?: Readonly<Record<string, Row>>;
  readonly harmless?: string;
  readonly prints?:
    | "content"
    | "decoded"
    | "remote"
    | "secret"
    | "environment"
    | "own"
    | "nothing"
    | "unknown";
  /**
   * `dash`: long options have one dash (`-name x`, also `-name=x`). `bundle`: the first word is letters without a dash (`tar xf`).
   * `posix`: options end at the first operand. Default: options anywhere, until `--`.
   */
  readonly style?: "dash" | "bundle" | "posix";
  /** It reads its input although it has no operand with the role `read`. */
  readonly reads?: "input";
  readonly run?: (call: Call) => void;
}

/** The key: names of programs with spaces between. */
export type Programs = Readonly<Record<string, Row>>;

/** How a command that another one starts differs from its starter. */
export interface Start {
  readonly where?: "here" | "container" | "remote";
  readonly isElevated?: boolean;
  /** The folder that it runs in. */
  readonly folder?: string;
  /** Its input. Default: that of its starter. */
  readonly input?: string;
  readonly variables?: readonly (readonly [name: string, value: string])[];
  /** Folders of this machine that a container sees, and where. */
  readonly mounts?: readonly { readonly from: string; readonly to: string }[];
}

/**
 * One command as a function of a row sees it. A word is a value: it may have parts that are not known (`values.ts` in `interpret`).
 * A list of options is written as in a row: `has("r R recursive")`.
 */
export interface Call {
  readonly name: string;
  /** All words after the name, or after the subcommand. */
  readonly words: readonly string[];
  readonly operands: readonly string[];
  /** What its input gives; empty if nothing is given. */
  readonly input: string;
  /** The folder that it runs in. */
  readonly folder: string;
  has(options: string): boolean;
  /** Of the last one of these options. */
  value(options: string): string | undefined;
  values(options: string): readonly string[];
  /** A variable of its environment. */
  variable(name: string): string | undefined;
  /** The same, if the line sets it. */
  ownVariable(name: string): string | undefined;
  /** The root of the work tree that it runs in. Of one in the project that cannot be looked at, it is the project. */
  workTree(): string;
  target(path: string): PathTarget;
  /** An effect on paths, or on nothing. */
  effect(name: EffectName, ...paths: readonly string[]): void;
  /** An effect on what is no path: a host, a branch, a package. */
  effectOn(name: EffectName, ...names: readonly string[]): void;
  /** Reads a file, and returns what it has. `-` is the input. */
  read(path: string): string;
  /** What a file has, as far as the line says; without the effect. */
  contentOf(path: string): string;
  write(path: string, content: string): void;
  /** It exists from now on, made by this line unless it was there. `isNew`: it was not, whatever the machine says. */
  create(path: string, isNew?: boolean): void;
  /** What `from` has is at `to`, too, without having been read: a link, or a file that is moved. */
  link(from: string, to: string): void;
  isFolder(path: string): boolean | undefined;
  send(content: string, host?: string): void;
  print(content: string): void;
  /** Runs words as a command, and returns what that prints. */
  start(words: readonly string[], how?: Start): string;
  /** Runs a text as a shell does. */
  startText(text: string, how?: Start): string;
}
