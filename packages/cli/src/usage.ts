import { parseArgs } from "node:util";
import { nearestWord } from "@tenterhook/protocol";
import { UsageError } from "./usage-error.ts";
import type { Option, Options, Values, Verb } from "./verb.ts";

export interface ReadArguments {
  readonly values: Values<Options>;
  readonly words: readonly string[];
  readonly help: boolean;
}

/** The options that every verb has. */
export const EVERYWHERE: Options = {
  json: { type: "boolean", about: "print JSON, for programs" },
  help: { type: "boolean", about: "print this" },
};

/** Reads a verb's arguments. Throws a `UsageError` that names what is wrong and, where it can be guessed, what was meant. */
export function readArguments(name: string, verb: Verb, args: readonly string[]): ReadArguments {
  const options: Options = { ...verb.options, ...EVERYWHERE };
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([key, { type }]) => [key, { type: parsedType(type) }]),
      ),
      help: { type: "boolean", short: "h" },
    },
    // Not strict: parseArgs's own messages do not tell what was meant.
    strict: false,
    tokens: true,
  });
  const values: Record<string, boolean | string | readonly string[] | undefined> = Object.fromEntries(
    Object.entries(options).map(([key, { type }]) => [key, UNSET[type]]),
  );
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const value = optionValue(name, options, token);
    const before = values[token.name];
    values[token.name] = Array.isArray(before) ? [...before, ...listed(value)] : value;
  }
  const help = values.help === true;
  if (!help) checkWords(name, verb, words);
  // Every option was given its own type just above.
  return { values: values as Values<Options>, words, help };
}

/** What an option is that was not given. */
const UNSET = { boolean: false, string: undefined, list: [] } as const satisfies Record<
  Option["type"],
  unknown
>;

function parsedType(type: Option["type"]): "boolean" | "string" {
  return type === "boolean" ? "boolean" : "string";
}

function listed(value: boolean | string): readonly string[] {
  return String(value)
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionValue(verb: string, options: Options, token: OptionToken): boolean | string {
  const option: Option | undefined = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  const { rawName, value } = token;
  if (option === undefined) {
    const nearest = nearestWord(token.name, Object.keys(options));
    throw new UsageError(
      `there is no option ${rawName}.`,
      nearest === undefined ? `Run: tenterhook ${verb} --help` : `Did you mean --${nearest}?`,
    );
  }
  if (option.type === "boolean") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, `Write just ${rawName}.`);
    return true;
  }
  const isAnotherOption = token.inlineValue === false && value !== undefined && /^-./.test(value);
  if (value === undefined || isAnotherOption) {
    const needed = `${rawName} ${option.value ?? "VALUE"}`;
    throw new UsageError(
      `${rawName} needs a value.`,
      `Write ${needed}, or ${rawName}=VALUE for one that begins with a dash.`,
    );
  }
  return value;
}

function checkWords(name: string, { words: { least, most }, usage }: Verb, words: readonly string[]): void {
  if (words.length < least) throw new UsageError("something is missing.", `Write: tenterhook ${usage}`);
  if (words.length > most) {
    throw new UsageError(
      `"${words[most]}" is one word too many.`,
      `Write: tenterhook ${usage} (see tenterhook ${name} --help)`,
    );
  }
}

/** The number that an option was given; without the option, none. */
export function wholeNumber(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`${option} must be a whole number of at least ${least}, not "${text}".`);
}
