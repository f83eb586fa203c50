/** What the process ends with. */
export const EXIT = {
  ok: 0,
  /** A usage error, or something was found. */
  wrong: 1,
  /** The operation would be blocked or stopped. */
  refused: 2,
  /** By Ctrl-C, as a shell counts it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An option of a verb: `--name`, or `--name VALUE`, which a list may have several times or with commas in it. */
export interface Option {
  readonly type: "boolean" | "string" | "list";
  /** What stands for the value in the help text. */
  readonly value?: string;
  readonly about: string;
}

export type Options = Readonly<Record<string, Option>>;

export type Values<O extends Options> = { readonly json: boolean } & {
  readonly [K in keyof O]: ValueTypes[O[K]["type"]];
};

interface ValueTypes {
  readonly boolean: boolean;
  readonly string: string | undefined;
  readonly list: readonly string[];
}

/** One verb of the command. */
export interface Verb<O extends Options = Options> {
  /** How it is written, without the command's name. */
  readonly usage: string;
  /** What it does, for its help text. */
  readonly about: string;
  /** Beside `--json` and `--help`, which every verb has. */
  readonly options: O;
  /** How many words it takes beside its options. */
  readonly words: { readonly least: number; readonly most: number };
  readonly examples: readonly { readonly command: string; readonly means: string }[];
  /** May throw a `UsageError`, which is told to the person and ends with 1. */
  run(values: Values<O>, words: readonly string[]): ExitCode | Promise<ExitCode>;
}

/** A verb in the overview, with its code loaded only when it is used. */
export interface ListedVerb {
  readonly summary: string;
  load(): Promise<Verb>;
}

/** Declares a verb; its options give the type of the values that it is run with. */
export function defineVerb<const O extends Options>(verb: Verb<O>): Verb<O> {
  return verb;
}
