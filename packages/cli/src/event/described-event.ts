import { readFileSync } from "node:fs";
import { type EventName, eventRow, fromWire, messageOf, type Payload } from "@tenterhook/protocol";
import { UsageError } from "../usage-error.ts";
import { eventNamed } from "./resolve-event.ts";
import { sampleFields } from "./sample-fields.ts";

/** An event as somebody describes it on the command line. */
export interface Description {
  /** The event's name or an alias. */
  readonly name: string | undefined;
  readonly tool?: string | undefined;
  /** JSON: a tool's input; at events without a tool the event's own fields. */
  readonly input?: string | undefined;
  /** A file with the event as scripts receive it, `-` for standard input. */
  readonly file?: string | undefined;
}

/** Where and in which session it happens, unless it says so itself. */
export interface Surroundings {
  readonly workDir: string;
  readonly sessionId: string;
}

export interface DescribedEvent {
  readonly event: EventName;
  readonly payload: Payload<EventName>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Makes the event that was described. Throws a `UsageError` when something is missing or does not fit. */
export async function describedEvent(
  description: Description,
  { workDir, sessionId }: Surroundings,
): Promise<DescribedEvent> {
  const { event, fields, isFree } =
    description.file === undefined ? fromOptions(description) : fromFile(description);
  const wire = {
    session_id: sessionId,
    timestamp: new Date().toISOString(),
    work_dir: workDir,
    ...sampleFields(event),
    ...fields,
  };
  const payload = fromWire(event, wire);
  // What somebody wrote freely is checked against the schema, which is not loaded for a plain tool call.
  if (isFree) {
    const { payloadProblems } = await import("./payload-problems.ts");
    const problems = payloadProblems(event, payload);
    if (problems.length > 0) {
      throw new UsageError(
        `this is no ${event} event: ${problems.join("; ")}.`,
        "Its fields are in docs/reference/events.md.",
      );
    }
  }
  return { event, payload: payload as Payload<EventName> };
}

interface Read {
  readonly event: EventName;
  readonly fields: Fields;
  readonly isFree: boolean;
}

function fromOptions({ name, tool, input }: Description): Read {
  if (name === undefined)
    throw new UsageError("which event?", "Name one, for example before_tool, or give --event FILE.");
  const event = eventNamed(name);
  const given = input === undefined ? {} : parseFields(input, "--input");
  if (!eventRow(event).tool) {
    if (tool !== undefined) throw new UsageError(`${event} has no tool.`, "Leave --tool out.");
    return { event, fields: given, isFree: input !== undefined };
  }
  if (tool === undefined) {
    throw new UsageError(`${event} is about a tool.`, `Name it: tenterhook … ${event} --tool Shell`);
  }
  return { event, fields: { tool_name: tool, tool_input: given, tool_use_id: "example" }, isFree: false };
}

function fromFile({ name, tool, input, file = "-" }: Description): Read {
  if (tool !== undefined || input !== undefined) {
    throw new UsageError("--event is the whole event.", "Leave --tool and --input out, or --event.");
  }
  const { event_type: type, ...fields } = parseFields(readText(file), file === "-" ? "standard input" : file);
  const named = name ?? type;
  if (typeof named !== "string") {
    throw new UsageError(
      "the event does not say which one it is.",
      'Add "event_type", or name the event on the command line.',
    );
  }
  const event = eventNamed(named);
  if (typeof type === "string" && eventNamed(type) !== event) {
    throw new UsageError(
      `the event says event_type ${type}, not ${named}.`,
      `Write ${eventNamed(type)}, or leave it out.`,
    );
  }
  return { event, fields, isFree: true };
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${messageOf(error)}.`,
      "Give --event a file, or - for standard input.",
    );
  }
}

function parseFields(text: string, where: string): Fields {
  const example = `for example '{"command": "ls"}' in single quotes`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${where} is not JSON: ${messageOf(error)}.`,
      `It must be a JSON object, ${example}.`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${where} is not a JSON object.`, `It must be one, ${example}.`);
  }
  return value as Fields;
}
