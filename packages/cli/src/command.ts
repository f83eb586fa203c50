/** Exit codes of the process. */
export const EXIT = {
  ok: 0,
  /** A usage error, or findings. */
  wrong: 1,
  /** The operation would be blocked or stopped. */
  refused: 2,
  /** Interrupted by Ctrl-C; shells use the same code. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An option of a command: `--name` or `--name VALUE`. A list may be given several times, or with commas; a number is whole. */
export interface Option {
  readonly type: "boolean" | "string" | "list" | "number";
  readonly least?: number;
  /** The placeholder of the value in the help text. */
  readonly value?: string;
  readonly about: string;
}

/** Makes options. `value` is the placeholder of the value in the help text, `least` the smallest number. */
export const option = {
  flag: (about: string) => ({ type: "boolean", about }) as const,
  text: (value: string, about: string) => ({ type: "string", value, about }) as const,
  list: (value: string, about: string) => ({ type: "list", value, about }) as const,
  number: (value: string, about: string, least = 1) => ({ type: "number", value, about, least }) as const,
};

export type Options = Readonly<Record<string, Option>>;

export type Values<O extends Options> = { readonly json: boolean } & {
  readonly [K in keyof O]: ValueTypes[O[K]["type"]];
};

interface ValueTypes {
  readonly boolean: boolean;
  readonly string: string | undefined;
  readonly list: readonly string[];
  readonly number: number | undefined;
}

/** One command of `tenterhook`. */
export interface Command<O extends Options = Options> {
  /** The synopsis, without `tenterhook`. */
  readonly usage: string;
  /** What it does, for its help text. */
  readonly about: string;
  /** In addition to `--json` and `--help`, which every command has. */
  readonly options: O;
  /** Advice for options that it does not have, but that people may expect. */
  readonly otherOptions?: Readonly<Record<string, string>>;
  /** The number of positional arguments. Default: none. */
  readonly arguments?: { readonly min: number; readonly max: number };
  readonly examples: readonly { readonly command: string; readonly means: string }[];
  /** May throw a `UsageError`, which is printed; the exit code is then 1. */
  run(values: Values<O>, args: readonly string[]): ExitCode | Promise<ExitCode>;
}

/** A command in the overview; its code is loaded only when it is used. */
export interface ListedCommand {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Declares a command; its options determine the type of the values it is run with. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command;
}
