import {
  checkJson,
  findInexactNumber,
  findInexactNumbers,
  type InexactNumbers,
  messageOf,
  printed,
  shortened,
} from "@tenterhook/internal";
import {
  ask,
  block,
  type EventName,
  eventRow,
  type Outcome,
  proceed,
  stop,
  TenterhookError,
} from "@tenterhook/protocol";
import { NOT_BY } from "@tenterhook/protocol/internal";
import { formatValue } from "../answer/evaluate-object.ts";
import { type Printed, type ReadOutput, readOutput } from "../answer/read-output.ts";

/** What a hook's process answered: an outcome, a text for the log if it gave one, and notes for its author. */
export interface ProcessOutcome {
  readonly outcome: Outcome;
  readonly log?: string;
  /** What was understood only by tolerance, or ignored. */
  readonly notes?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the standard output of a process that ended with 0. Other output is logged; an answer that cannot be read is a failure. */
export function readReply(event: EventName, output: Printed): ProcessOutcome {
  const read = readOutput(output);
  const outcome = readOutcome(event, read, findInexactNumbers(output.text));
  const log = read.text ?? (read.extras.log === undefined ? undefined : printed(read.extras.log));
  return {
    outcome,
    ...(log !== undefined && { log }),
    ...(read.notes.length > 0 && { notes: [...new Set(read.notes)] }),
  };
}

function readOutcome(
  event: EventName,
  { decision, reason: given, notBy, unreadable, extras }: ReadOutput,
  numbers: InexactNumbers,
): Outcome {
  // A refusal counts even if its reason is not a text: a guard must not fail open over that.
  const reason = given === undefined || given === null ? undefined : printed(given);
  switch (decision) {
    case "deny":
      return block(reason ?? "blocked, no reason given");
    case "ask":
      return asking(reason ?? "a person must decide, no reason given", notBy);
    case "stop":
      return stop(reason ?? "stopped, no reason given");
    default:
      if (unreadable !== undefined) throw wrong(unreadable);
      return proceeding(event, extras, numbers);
  }
}

/** A question. One that excludes a person in a way that is not known is refused: anybody could decide it. */
function asking(reason: string, notBy: string | undefined): Outcome {
  if (notBy === undefined) return ask(reason);
  if (notBy === NOT_BY) return ask(reason, { notBy });
  return block(`${reason} (it asked with "not_by": ${JSON.stringify(notBy)}; only "${NOT_BY}" is known)`);
}

function proceeding(event: EventName, extras: Fields, numbers: InexactNumbers): Outcome {
  const { input, result } = eventRow(event);
  const context = optionalText(extras, "additional_context");
  const patch = {
    ...readChange(event, extras, "modified_input", input, numbers),
    ...readChange(event, extras, "modified_result", result, numbers),
  };
  const changes = Object.keys(patch).length > 0;
  if (context !== undefined) return proceed(changes ? patch : undefined, { context });
  return changes ? proceed(patch) : proceed();
}

function readChange(
  event: EventName,
  extras: Fields,
  key: string,
  field: string | undefined,
  numbers: InexactNumbers,
): Fields {
  const value = extras[key];
  if (value === undefined || value === null) return {};
  if (field === undefined) throw wrong(`it gave ${key}, but ${event} has none to change`);
  if (eventRow(event).changes[field] === "object" && (typeof value !== "object" || Array.isArray(value))) {
    throw wrong(`its ${key} is ${formatValue(value)}; it must be an object`);
  }
  try {
    checkJson(value, `its ${key}`);
  } catch (error) {
    throw wrong(messageOf(error).replace(/\.$/, ""));
  }
  const inexact = findInexactNumber(value, numbers);
  if (inexact !== undefined) {
    const { path, source } = inexact;
    throw wrong(
      `its ${key}${path} is ${shortened(source, 40)}, which would be printed as another number; make it text`,
    );
  }
  return { [field]: value };
}

function optionalText(extras: Fields, key: string): string | undefined {
  const value = extras[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrong(`its ${key} is ${formatValue(value)}; it must be text`);
  return value;
}

function wrong(message: string): TenterhookError {
  return new TenterhookError("hook_output", `${message}.`);
}
