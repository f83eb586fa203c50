import { readFileSync } from "node:fs";
import { messageOf } from "@tenterhook/internal";
import { type EventName, eventRow, type Payload } from "@tenterhook/protocol";
import { fromWire } from "@tenterhook/protocol/internal";
import { jsonObject, parseObject } from "../json-argument.ts";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { eventNamed } from "./resolve-event.ts";
import { sampleFields } from "./sample-fields.ts";
import { withCanonicalTool } from "./tool-alias.ts";

/** An event as it is described on the command line. */
export interface Description {
  /** The event's name or an alias. */
  readonly name: string | undefined;
  readonly tool?: string | undefined;
  /** JSON, `@file` or `-`: a tool's input; at events without a tool the event's own fields. */
  readonly input?: string | undefined;
  /** A file with the event as scripts receive it; `-` for standard input. */
  readonly file?: string | undefined;
}

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

const FORM = `It must be a JSON object, for example '{"command": "ls"}' in single quotes.`;

/** Builds the described event. Throws a `UsageError` when a field is missing or invalid. */
export async function describedEvent(
  description: Description,
  { workDir, sessionId }: EventDefaults,
): Promise<DescribedEvent> {
  const { event, fields, isUnchecked } =
    description.file === undefined ? await fromOptions(description) : fromFile(description);
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

async function fromOptions({ name, tool, input }: Description): Promise<ParsedEvent> {
  if (name === undefined)
    throw new UsageError("missing event.", "Name an event, for example before_tool, or use --event FILE.");
  const event = eventNamed(name);
  const given = input === undefined ? {} : await jsonObject(input, "--input");
  if (!eventRow(event).tool) {
    if (tool !== undefined) throw new UsageError(`${event} has no tool.`, "Omit --tool.");
    return { event, fields: given, isUnchecked: input !== undefined };
  }
  if (tool === undefined) {
    throw new UsageError(`${event} needs a tool.`, `Example: tenterhook … ${event} --tool Shell`);
  }
  return {
    event,
    fields: { tool_name: tool, tool_input: given, tool_use_id: "example" },
    isUnchecked: false,
  };
}

function fromFile({ name, tool, input, file = "-" }: Description): ParsedEvent {
  if (tool !== undefined || input !== undefined) {
    throw new UsageError("--event contains the whole event.", "Use either --event, or --tool and --input.");
  }
  const { event_type: type, ...fields } = parseObject(
    readText(file),
    file === "-" ? "standard input" : file,
    FORM,
  );
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

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${messageOf(error)}.`,
      "Use --event with a file, or - for standard input.",
    );
  }
}
