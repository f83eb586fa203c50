import { parseArgs } from "node:util";
import { nearestWord, typedCommand } from "@tenterhook/internal";
import type { Command, Option, Options, Values } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export interface ReadArguments {
  readonly values: Values<Options>;
  readonly args: readonly string[];
  readonly help: boolean;
}

/** The options that every command has. */
export const GLOBAL_OPTIONS: Options = {
  json: { type: "boolean", about: "print JSON" },
  help: { type: "boolean", about: "print this help" },
};

/** Parses the arguments of a command. Throws a `UsageError` that names the mistake and suggests a correction. */
export function readArguments(name: string, command: Command, argv: readonly string[]): ReadArguments {
  const options: Options = { ...command.options, ...GLOBAL_OPTIONS };
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([key, { type }]) => [key, { type: parsedType(type) }]),
      ),
      help: { type: "boolean", short: "h" },
    },
    // Not strict: the messages of parseArgs suggest no correction.
    strict: false,
    tokens: true,
  });
  const values: Record<string, boolean | string | readonly string[] | undefined> = Object.fromEntries(
    Object.entries(options).map(([key, { type }]) => [key, UNSET[type]]),
  );
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    const value = optionValue(name, command, options, token);
    const before = values[token.name];
    values[token.name] = Array.isArray(before) ? [...before, ...listed(value)] : value;
  }
  const help = values.help === true;
  if (!help) checkArgumentCount(name, command, args);
  // Every option has a value of its own type now.
  return { values: values as Values<Options>, args, help };
}

/** The value of an option that was not given. */
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
    .map((item) => item.trim())
    .filter(Boolean);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionValue(
  name: string,
  { otherOptions = {} }: Command,
  options: Options,
  token: OptionToken,
): boolean | string {
  const option: Option | undefined = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  const { rawName, value } = token;
  if (option === undefined) {
    const advice = Object.hasOwn(otherOptions, token.name) ? otherOptions[token.name] : undefined;
    const nearest = nearestWord(token.name, Object.keys(options));
    const suggestion =
      nearest === undefined ? `Run: ${typedCommand()} ${name} --help` : `Did you mean --${nearest}?`;
    throw new UsageError(`unknown option ${rawName}.`, advice ?? suggestion);
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
      `Write ${needed}, or ${rawName}=VALUE for a value that begins with a dash.`,
    );
  }
  return value;
}

function checkArgumentCount(
  name: string,
  { arguments: { min, max }, usage }: Command,
  args: readonly string[],
): void {
  if (args.length < min) throw new UsageError("missing argument.", `Usage: ${typedCommand()} ${usage}`);
  if (args.length > max) {
    throw new UsageError(
      `unexpected argument "${args[max]}".`,
      `Usage: ${typedCommand()} ${usage} (see ${typedCommand()} ${name} --help)`,
    );
  }
}

/** The number of an option; `undefined` if the option was not given. */
export function wholeNumber(option: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= min) return number;
  throw new UsageError(`${option} must be a whole number of at least ${min}, not "${text}".`);
}
