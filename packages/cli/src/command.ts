import { messageOf, nearestWord, TenterhookError } from "@tenterhook/protocol";
import { fileError } from "./file-error.ts";
import { helpFor, overview } from "./help.ts";
import { print, printable, printJson } from "./terminal.ts";
import { readArguments } from "./usage.ts";
import { UsageError } from "./usage-error.ts";
import { EXIT, type ExitCode } from "./verb.ts";
import { VERBS } from "./verbs.ts";

/** Runs the command with its arguments, and leaves the exit code for when everything has been written. */
export async function command(args: readonly string[]): Promise<void> {
  process.stdout.on("error", endWhenNobodyReads);
  const [verb = "", ...rest] = args;
  try {
    process.exitCode = await run(verb, rest);
  } catch (error) {
    // What the file system refuses is no fault in here.
    tell(verb, fileError(error) ?? error, rest.includes("--json"));
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
  const found = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (found === undefined) throw unknownVerb(name);
  const verb = await found.load();
  const { values, words, help } = readArguments(name, verb, args);
  if (!help) return verb.run(values, words);
  print(helpFor(verb));
  return EXIT.ok;
}

function unknownVerb(name: string): UsageError {
  const isOption = name.startsWith("-");
  const nearest = nearestWord(name, isOption ? ["--help", "--version"] : Object.keys(VERBS));
  return new UsageError(
    `there is no ${isOption ? "option" : "verb"} ${isOption ? name : `"${name}"`}.`,
    nearest === undefined ? "Run tenterhook --help to see what there is." : `Did you mean ${nearest}?`,
  );
}

function tell(verb: string, error: unknown, asJson: boolean): void {
  const isExpected = error instanceof UsageError || TenterhookError.isInstance(error);
  const message = messageOf(error);
  const hint = error instanceof UsageError ? error.hint : undefined;
  const who = Object.hasOwn(VERBS, verb) ? `tenterhook ${verb}` : "tenterhook";
  // Without --json nothing goes to standard output: what reads it must not take an error for a result.
  const details = error instanceof UsageError ? error.details : {};
  if (asJson) printJson({ error: { message, ...(hint !== undefined && { hint }), ...details } });
  const trouble =
    isExpected || !(error instanceof Error) ? message : `this should not happen: ${error.stack}`;
  process.stderr.write(`${printable(`${who}: ${trouble}${hint === undefined ? "" : `\n${hint}`}`)}\n`);
}

/** `tenterhook list | head -1` closes the pipe early, which is no error of anybody. */
function endWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}
