import { withoutBom } from "@tenterhook/internal";
import { type EventName, eventRow, type Payload } from "@tenterhook/protocol";
import { fromWire } from "@tenterhook/protocol/internal";
import { option } from "../command.ts";
import { jsonObject, parseObject, textOf } from "../json-argument.ts";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { eventNamed } from "./resolve-event.ts";
import { translateCall, withCanonicalTool } from "./tool-alias.ts";

/** An event as it is described on the command line. */
export interface Description {
  /** The event's name or an alias. */
  readonly name: string | undefined;
  readonly tool?: string | undefined;
  /** JSON, `@file` or `-`: a tool's input, of a shell also its command; at events without a tool the event's own fields. */
  readonly input?: string | undefined;
  /** The command of a shell, whatever it looks like. */
  readonly command?: string | undefined;
  /** A file with the event as scripts receive it; `-` for standard input. */
  readonly file?: string | undefined;
}

/** The options that describe the call of a tool. */
export const CALL_OPTIONS = {
  tool: option.text("T", "the tool's name, or a coding agent's name of it"),
  input: option.text(
    "JSON",
    "the tool's input, of Shell also a plain command; @FILE from a file, - from standard input",
  ),
  command: option.text("TEXT", "the command of a shell; --tool is Shell without it"),
} as const;

/** Default values of the event. */
export interface EventDefaults {
  readonly workDir: string;
  readonly sessionId: string;
}

export interface DescribedEvent {
  readonly event: EventName;
  readonly payload: Payload<EventName>;
}

type Fields = Readonly<Record<string, unknown>>;

const CALL_FORM = "Write a JSON object in single quotes, or the text of a shell command with --command.";
const FORM = `It must be a JSON object, for example '{"command": "ls"}' in single quotes.`;

/** Builds the described event. Throws a `UsageError` when a field is missing or invalid. */
export async function describedEvent(
  description: Description,
  { workDir, sessionId }: EventDefaults,
): Promise<DescribedEvent> {
  const { event, fields, isUnchecked } = await (description.file === undefined
    ? fromOptions(description)
    : fromFile(description));
  const wire = {
    session_id: sessionId,
    timestamp: new Date().toISOString(),
    work_dir: workDir,
    ...sampleFields(event),
    ...(await withCanonicalTool(fields, workDir, notify)),
  };
  const payload = fromWire(event, wire);
  // Fields that the user wrote are checked against the schema, which is not loaded for a plain tool call.
  if (isUnchecked) {
    const { payloadProblems } = await import("./payload-problems.ts");
    const problems = payloadProblems(event, payload);
    if (problems.length > 0) {
      throw new UsageError(
        `not a valid ${event} event: ${problems.join("; ")}.`,
        "Its fields are in docs/reference/events.md.",
      );
    }
  }
  return { event, payload: payload as Payload<EventName> };
}

interface ParsedEvent {
  readonly event: EventName;
  readonly fields: Fields;
  readonly isUnchecked: boolean;
}

async function fromOptions({ name, tool: named, input, command }: Description): Promise<ParsedEvent> {
  const tool = named ?? (command === undefined ? undefined : "Shell");
  if (name === undefined && tool === undefined)
    throw new UsageError("missing event.", "Name an event, for example before_tool, or use --event FILE.");
  const event = eventNamed(name ?? "before_tool");
  if (!eventRow(event).tool) {
    if (tool !== undefined)
      throw new UsageError(`${event} has no tool.`, `Omit ${named === undefined ? "--command" : "--tool"}.`);
    const fields = input === undefined ? {} : await jsonObject(input, "--input");
    return { event, fields, isUnchecked: input !== undefined };
  }
  if (tool === undefined) {
    throw new UsageError(`${event} needs a tool.`, `Example: … ${event} --tool Shell, or --command 'ls'`);
  }
  return {
    event,
    fields: { ...(await toolCall(tool, input, command)), tool_use_id: "example" },
    isUnchecked: false,
  };
}

/** The tool and its input. What is not JSON is the command of a shell. */
async function toolCall(
  tool: string,
  input: string | undefined,
  command: string | undefined,
): Promise<Fields> {
  if (input !== undefined && command !== undefined)
    throw new UsageError("--input and --command exclude each other.", "Write one of them.");
  const text = command ?? (input === undefined ? "{}" : await textOf(input, "--input"));
  const isCommand = command !== undefined || !/^\s*[[{]/.test(withoutBom(text));
  if (!isCommand) return { tool_name: tool, tool_input: parseObject(text, "--input", CALL_FORM) };
  const shell = { tool_name: "Shell", tool_input: { command: text } };
  if (tool === "Shell") return shell;
  const translated = await translateCall(tool, {}, "");
  if (translated?.tool !== "Shell")
    throw new UsageError(`${tool} is not a shell, so its input is not a command.`, FORM);
  notify(translated.notice);
  return shell;
}

async function fromFile({ name, tool, input, command, file = "-" }: Description): Promise<ParsedEvent> {
  if (tool !== undefined || input !== undefined || command !== undefined) {
    throw new UsageError("--event contains the whole event.", "Use either --event, or --tool and --input.");
  }
  const text = await textOf(file === "-" ? file : `@${file}`, "--event");
  const { event_type: type, ...fields } = parseObject(text, file === "-" ? "standard input" : file, FORM);
  const named = name ?? type;
  if (typeof named !== "string") {
    throw new UsageError(
      "the event has no event_type.",
      'Add "event_type", or name the event on the command line.',
    );
  }
  const event = eventNamed(named);
  if (typeof type === "string" && eventNamed(type) !== event) {
    throw new UsageError(
      `event_type is ${type}, not ${named}.`,
      `Use ${eventNamed(type)}, or omit the event on the command line.`,
    );
  }
  return { event, fields, isUnchecked: true };
}

const ERROR = { name: "Error", message: "an example of an error" };

/** Sample values of required fields in wire form; the user names the tool and its input. */
const SAMPLES: Readonly<Partial<Record<EventName, Fields>>> = {
  before_agent: { message: "an example of a message" },
  after_agent: { status: "completed" },
  before_step: { messages: [] },
  after_step: { messages: [] },
  before_llm: { messages: [] },
  after_llm: { messages: [], text: "an example of an answer", tool_uses: [] },
  after_tool: { tool_result: "an example of a result" },
  after_tool_failure: { error: ERROR },
  before_stop: { stop_reason: "no_tool_calls" },
  subagent_start: { subagent_name: "example", task_description: "an example of a task" },
  subagent_stop: { subagent_name: "example", task_description: "an example of a task" },
  notification: { message: "an example of a message" },
  on_error: { error: ERROR, phase: "tool" },
  agent_failed: { error: ERROR },
};

/** Sample values of the required fields of an event. */
export function sampleFields(event: EventName): Fields {
  return SAMPLES[event] ?? {};
}
