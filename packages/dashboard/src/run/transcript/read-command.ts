import { isRecord, shellQuoted } from "@tenterhook/internal";

/** A tool call that runs a command. */
export interface ToolCommand {
  readonly command: string;
  /** The other fields of its input; undefined when there are none. */
  readonly rest: Readonly<Record<string, unknown>> | undefined;
}

/** The command among the input of a tool call, of Tenterhook's Shell and of most others. Undefined for other tools. */
export function readCommand(input: unknown): ToolCommand | undefined {
  if (!isRecord(input)) return undefined;
  const { command: value, ...rest } = input;
  const command = isTexts(value) ? value.map(formatWord).join(" ") : value;
  if (typeof command !== "string" || command === "") return undefined;
  return { command, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

/** What a command printed, and how it ended. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** `exit code 1`; undefined after success. */
  readonly ending: string | undefined;
}

/** The output of a command among the result of a tool call. Undefined for another result. */
export function readOutput(result: unknown): CommandOutput | undefined {
  if (!isRecord(result)) return undefined;
  const { stdout, stderr, exit_code: code, signal } = result;
  if (typeof stdout !== "string" && typeof stderr !== "string") return undefined;
  const exit = typeof code === "number" && code !== 0 ? `exit code ${code}` : undefined;
  return {
    stdout: typeof stdout === "string" ? stdout : "",
    stderr: typeof stderr === "string" ? stderr : "",
    ending: typeof signal === "string" ? `ended by ${signal}` : exit,
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");

const formatWord = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : shellQuoted(word));
