import { didYouMean, messageOf, typedCommand } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { EXIT, type ExitCode } from "./command.ts";
import { COMMANDS, FORMER_COMMANDS, OTHER_NAMES } from "./commands.ts";
import { fileError } from "./file-error.ts";
import { explainError } from "./fleet/request-usage-error.ts";
import { helpFor, overview } from "./help.ts";
import { readArguments } from "./read-arguments.ts";
import { notify, print, printable, printJson } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Runs `tenterhook` with its arguments, and sets the exit code of the process. */
export async function runCommand(args: readonly string[]): Promise<void> {
  process.stdout.on("error", endOnClosedPipe);
  const [name = "", ...rest] = args;
  try {
    process.exitCode = await run(name, rest);
  } catch (error) {
    // An error of the file system is not a bug.
    printError(name, fileError(error) ?? (await explainError(error)), rest.includes("--json"));
    process.exitCode = EXIT.wrong;
  }
}

async function run(name: string, args: readonly string[]): Promise<ExitCode> {
  const [topic] = args;
  if (name === "help" && topic !== undefined) return run(topic, ["--help"]);
  if (["", "--help", "-h", "help"].includes(name)) {
    print(overview());
    return EXIT.ok;
  }
  const former = Object.hasOwn(FORMER_COMMANDS, name) ? FORMER_COMMANDS[name] : undefined;
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : former;
  if (found === undefined) throw unknownCommand(name);
  if (former !== undefined) notify(`${name} is now: ${typedCommand()} ${former.now}`);
  const command = await found.load();
  const { values, args: positional, help } = readArguments(name, command, args);
  if (!help) return command.run(values, positional);
  print(helpFor(command));
  return EXIT.ok;
}

function unknownCommand(name: string): UsageError {
  const isOption = name.startsWith("-");
  const advice = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  const known = isOption ? ["--help", "--version"] : Object.keys(COMMANDS);
  return new UsageError(
    isOption ? `unknown option ${name}.` : `unknown command "${name}".`,
    advice ?? didYouMean(name, known, `Run ${typedCommand()} --help for a list of commands.`),
  );
}

function printError(name: string, error: unknown, asJson: boolean): void {
  const isExpected = error instanceof UsageError || TenterhookError.isInstance(error);
  const message = messageOf(error);
  const hint = error instanceof UsageError ? error.hint : undefined;
  const isCommand = Object.hasOwn(COMMANDS, name) || Object.hasOwn(FORMER_COMMANDS, name);
  const source = isCommand ? `tenterhook ${name}` : "tenterhook";
  // Without --json, errors are never printed to standard output, which is for results.
  const details = error instanceof UsageError ? error.details : {};
  if (asJson) printJson({ error: { message, ...(hint !== undefined && { hint }), ...details } });
  const text = isExpected || !(error instanceof Error) ? message : `internal error: ${error.stack}`;
  process.stderr.write(`${printable(`${source}: ${text}${hint === undefined ? "" : `\n${hint}`}`)}\n`);
}

/** `tenterhook list | head -1` closes the pipe early, which is not an error. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}
