import {
  checkJson,
  findInexactNumber,
  findInexactNumbers,
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
import { Answer, type Decided, formatValue, plainValue, takeRefusal } from "./answer.ts";
import { findJson, JsonObject } from "./find-json.ts";
import type { Printed } from "./printed-output.ts";
import { plainText, Reading } from "./reading.ts";

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
  const outcome = readOutcome(event, read, output.text);
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
  printedText: string,
): Outcome {
  // A refusal counts even if its reason is not a text: a guard must not fail open over that.
  const reason = given === undefined || given === null ? undefined : printed(plainValue(given));
  switch (decision) {
    case "deny":
      return block(reason ?? "blocked, no reason given");
    case "ask":
      return asking(reason ?? "a person must decide, no reason given", notBy);
    case "stop":
      return stop(reason ?? "stopped, no reason given");
    default:
      if (unreadable !== undefined) throw wrong(unreadable);
      return proceeding(event, extras, printedText);
  }
}

/** A question. One that excludes a person in a way that is not known is refused: anybody could decide it. */
function asking(reason: string, notBy: string | undefined): Outcome {
  if (notBy === undefined) return ask(reason);
  if (notBy === NOT_BY) return ask(reason, { notBy });
  return block(`${reason} (it asked with "not_by": ${JSON.stringify(notBy)}; only "${NOT_BY}" is known)`);
}

function proceeding(event: EventName, extras: Fields, text: string): Outcome {
  const { input, result } = eventRow(event);
  const context = optionalText(extras, "additional_context");
  const patch = {
    ...readChange(event, extras, "modified_input", input, text),
    ...readChange(event, extras, "modified_result", result, text),
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
  text: string,
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
  const inexact = findInexactNumber(value, findInexactNumbers(text));
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

/** What was read from the output of a process. */
export interface ReadOutput extends Partial<Readonly<Decided>> {
  /** Changes, context and log; only of an output that is one JSON object as a whole. */
  readonly extras: Fields;
  /** The output, where it is more than an answer. */
  readonly text?: string;
  /** Why a part that looks like an answer cannot be read. */
  readonly unreadable?: string | undefined;
  /** What was understood only by tolerance, or ignored. */
  readonly notes: readonly string[];
}

const NOTHING: ReadOutput = { extras: {}, notes: [] };

/**
 * Reads what a process printed. One JSON object as a whole is read entirely; of objects among other output only the
 * strictest decision counts. Nothing that looks like an answer is passed over: what cannot be read is named.
 */
export function readOutput(output: Printed): ReadOutput {
  const { isUtf16, isCut = false, others } = output;
  const notes = isUtf16 ? ["it printed UTF-16; print UTF-8"] : [];
  const exact = output.text.replace(/^\uFEFF/, "").trim();
  if (isCut) return readAmongText(exact, output, notes);
  const plain = plainText(exact).trim();
  if (plain === "" && others === undefined) return NOTHING;
  // A change may hold characters that are invisible elsewhere, so the text is first read as it is.
  const object = wholeObject(exact);
  if (object !== undefined) return readWhole(object, exact, output, notes);
  if (plain !== exact) notes.push(INVISIBLE);
  const plainObject = wholeObject(plain);
  if (plainObject !== undefined) return readWhole(plainObject, plain, output, notes);
  return readAmongText(plain, output, notes);
}

const INVISIBLE = "it printed colour codes or other invisible characters; print none";

/** The object that a text consists of, be it alone in an array. */
function wholeObject(text: string): JsonObject | undefined {
  const [only, ...others] = findJson(text).found;
  if (only === undefined || others.length > 0 || only.end - only.start !== text.length) return undefined;
  const value = Array.isArray(only.value) && only.value.length === 1 ? only.value[0] : only.value;
  return value instanceof JsonObject ? value : undefined;
}

function readWhole(
  object: JsonObject,
  text: string,
  { isUtf16, hasBadBytes = false, others = [] }: Printed,
  notes: readonly string[],
): ReadOutput {
  const answer = new Answer(object).addInside(object, false);
  const extras = Object.fromEntries([...answer.extras].map(([name, value]) => [name, plainValue(value)]));
  // A change is carried out, so no character of it may be another one than the hook meant.
  const isSpoilt = hasBadBytes && ("modified_input" in extras || "modified_result" in extras);
  return {
    // What is one object in UTF-16 is that in no other encoding.
    ...strictest(answer, [...(isUtf16 ? [] : others), ...(hasBadBytes ? [readingOf(text)] : [])]),
    unreadable: answer.unreadable ?? (isSpoilt ? NOT_UTF8 : undefined),
    extras,
    notes: [
      ...notes,
      ...(text.startsWith("[") ? ["its answer is in an array; print the object alone"] : []),
      ...answer.notes,
    ],
  };
}

const NOT_UTF8 = "it printed bytes that are not UTF-8 beside what looks like an answer; print UTF-8";

/** What an output decides that is more than one object, by its own reading and by those in other encodings, which may only refuse. */
function readAmongText(
  text: string,
  { own = readingOf(text), others = [], isCut = false }: Printed,
  notes: readonly string[],
): ReadOutput {
  // In another encoding an answer may look broken that can be read in its own.
  const isBroken =
    own.isBroken ||
    others.some(({ looksLike, hasAnswer }) =>
      own.hasAnswer ? looksLike === "refusal" : hasAnswer || looksLike !== undefined,
    );
  const readings = [own, ...others];
  const hasAnswer = own.hasAnswer || others.some(({ decision }) => decision !== undefined);
  return {
    ...strictest(own, others),
    unreadable: isBroken
      ? `it printed something that looks like an answer and is not JSON${isCut ? OR_LONG : ` (${whyNot(text)})`}`
      : readings.find(({ unreadable }) => unreadable !== undefined)?.unreadable,
    extras: {},
    text,
    notes: [
      ...(hasAnswer ? [...notes, AMONG_OUTPUT] : []),
      ...(readings.some(({ hasContext }) => hasContext) ? [CONTEXT_IGNORED] : []),
      ...readings.flatMap((reading) => [...reading.notes]),
    ],
  };
}

const OR_LONG = ", or more JSON than is read (1 MiB)";
const AMONG_OUTPUT =
  "its answer stands among other output, of which only the decision is taken; print the JSON alone";
const CONTEXT_IGNORED = "its additional_context is ignored, because it printed other output beside it";

/** The strictest decision. Other readings may only refuse. */
function strictest(own: Decided, others: readonly Reading[]): Decided {
  for (const other of others) takeRefusal(own, other);
  const { decision, reason, notBy } = own;
  return { decision, reason, notBy };
}

function readingOf(text: string): Reading {
  const reading = new Reading();
  reading.add(text);
  return reading.end();
}

function whyNot(text: string): string {
  try {
    JSON.parse(text);
    return "it is text in quotes";
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ").slice(0, 120);
  }
}
