import { parseArgs } from "node:util";
import { didYouMean, nearestWord, typedCommand } from "@tenterhook/internal";
import { type Command, type Option, type Options, option, type Values } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export interface ReadArguments {
  readonly values: Values<Options>;
  readonly args: readonly string[];
  readonly help: boolean;
}

/** The options that every command has. */
export const GLOBAL_OPTIONS: Options = {
  json: option.flag("print JSON"),
  help: option.flag("print this help"),
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
  const values: Record<string, OptionValue | undefined> = Object.fromEntries(
    Object.entries(options).map(([key, { type }]) => [key, UNSET[type]]),
  );
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    const value = optionValue(name, command, options, token);
    const before = values[token.name];
    values[token.name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  const help = values.help === true;
  if (!help) checkArgumentCount(name, command, args);
  // Every option has a value of its own type now.
  return { values: values as Values<Options>, args, help };
}

/** The value of an option that was not given. */
const UNSET = { boolean: false, string: undefined, list: [], number: undefined } as const satisfies Record<
  Option["type"],
  unknown
>;

type OptionValue = boolean | string | number | readonly string[];

function parsedType(type: Option["type"]): "boolean" | "string" {
  return type === "boolean" ? "boolean" : "string";
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
): OptionValue {
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
  if (option.type === "number") return wholeNumber(rawName, value, option.least);
  return option.type === "list" ? listItems(value) : value;
}

function wholeNumber(rawName: string, text: string, least = 1): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`${rawName} must be a whole number of at least ${least}, not "${text}".`);
}

function listItems(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function checkArgumentCount(
  name: string,
  { arguments: { min, max } = { min: 0, max: 0 }, usage }: Command,
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

/** Throws a `UsageError` for the first of some options that was given although it does not apply. */
export function refuseMisplaced(
  values: Readonly<Record<string, unknown>>,
  options: readonly string[],
  { reason, hint }: { readonly reason: string; readonly hint: string },
): void {
  const misplaced = options.find((name) => isGiven(values[name]));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} ${reason}.`, hint);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** The subcommands of a command by name, with the placeholders of their arguments; `more` may follow any number of times. */
export type Subcommands<Run> = Readonly<
  Record<string, { readonly needs: readonly string[]; readonly more?: string; readonly run: Run }>
>;

/** Finds the subcommand of some arguments. Throws a `UsageError` with the correct usage. */
export function chooseSubcommand<Run>(
  command: string,
  subcommands: Subcommands<Run>,
  [name = "list", ...args]: readonly string[],
): { readonly run: Run; readonly args: readonly string[] } {
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  const known = Object.keys(subcommands);
  if (subcommand === undefined) {
    throw new UsageError(
      `unknown subcommand "${name}".`,
      didYouMean(name, known, `Known: ${known.join(", ")}.`),
    );
  }
  const { run, needs, more } = subcommand;
  if (args.length === needs.length || (more !== undefined && args.length > needs.length))
    return { run, args };
  const usage = ["tenterhook", command, name, ...needs, ...(more === undefined ? [] : [`[${more}]`])].join(
    " ",
  );
  throw new UsageError(
    args.length < needs.length ? "missing argument." : `unexpected argument "${args[needs.length]}".`,
    `Usage: ${usage}`,
  );
}
