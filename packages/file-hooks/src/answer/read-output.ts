import type { DecisionWord } from "./answer-keys.ts";
import { answerOf, rank } from "./answer-of.ts";
import { evaluateObject } from "./evaluate-object.ts";
import { type FoundJson, findJson, JsonObject } from "./find-json.ts";
import { Findings, NOT_UTF8, refusesWithoutBadBytes } from "./findings.ts";
import { plainValue } from "./json-parts.ts";
import { stricterNotBy, type WrittenNotBy } from "./not-by.ts";
import { plainText } from "./output-text.ts";

/** What a hook's process printed on standard output. */
export interface Printed {
  /** For the log; of a long output its two ends. */
  readonly text: string;
  readonly isUtf16: boolean;
  /** The text has characters that stand for bytes which are not UTF-8. */
  readonly hasBadBytes?: boolean;
  /** The output as read in other encodings, where it has bytes that could be of one. */
  readonly otherTexts?: readonly string[];
  /** What was found in an output that is longer than its text, in each encoding that it may be in. */
  readonly found?: readonly Findings[];
}

/** What was read from the output of a process. */
export interface ReadOutput {
  /** Absent when it decides nothing. */
  readonly decision?: DecisionWord;
  readonly reason?: unknown;
  /** Who may not decide, where it asks. */
  readonly notBy?: WrittenNotBy;
  /** Changes, context and log; only of an output that is one JSON object as a whole. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** The output, where it is more than an answer. */
  readonly text?: string;
  /** Why a part that looks like an answer cannot be read. */
  readonly unreadable?: string;
  /** What was understood only by tolerance, or ignored. */
  readonly notes: readonly string[];
}

const NOTHING: ReadOutput = { extras: {}, notes: [] };

/**
 * Reads what a process printed. One JSON object as a whole is read entirely; of objects among other output only the
 * strictest decision counts. Nothing that looks like an answer is passed over: what cannot be read is named.
 */
export function readOutput(printed: Printed): ReadOutput {
  if (printed.text === "") return NOTHING;
  const notes = printed.isUtf16 ? ["it printed UTF-16; print UTF-8"] : [];
  if (printed.found !== undefined) return readFindings(printed.text.trim(), printed.found, notes);
  let text = printed.text.replace(/^\uFEFF/, "").trim();
  let { found } = findJson(text);
  let whole = wholeObject(found, text);
  if (whole === undefined) {
    const plain = plainText(text).trim();
    if (plain !== text) {
      text = plain;
      found = findJson(text).found;
      whole = wholeObject(found, text);
      if (found.length > 0) notes.push("it printed colour codes or other invisible characters; print none");
    }
  }
  const others = printed.otherTexts?.map(findIn) ?? [];
  if (whole !== undefined) return readWhole(whole, text, others, notes, printed.hasBadBytes === true);
  if (text === "" && others.length === 0) return NOTHING;
  const own = new Findings();
  own.add(text, found);
  // A hook that begins with an object meant it as its answer.
  if (/^\{\s*"/.test(text) && found[0]?.start !== 0) own.looksLike = "refusal";
  return readFindings(text, [own, ...others], notes);
}

function findIn(text: string): Findings {
  const plain = plainText(text).trim();
  const findings = new Findings();
  findings.add(plain, findJson(plain).found);
  return findings;
}

/** The object that a text consists of, be it alone in an array. */
function wholeObject(found: readonly FoundJson[], text: string): JsonObject | undefined {
  const [only] = found;
  if (found.length !== 1 || only === undefined || only.end - only.start !== text.length) return undefined;
  const value = Array.isArray(only.value) && only.value.length === 1 ? only.value[0] : only.value;
  return value instanceof JsonObject ? value : undefined;
}

function readWhole(
  object: JsonObject,
  text: string,
  others: readonly Findings[],
  notes: readonly string[],
  hasBadBytes: boolean,
): ReadOutput {
  const answer = answerOf(object);
  const inside = evaluateObject(object, answer, false);
  const extras = Object.fromEntries([...answer.extras].map(([name, value]) => [name, plainValue(value)]));
  // A change is carried out, so no character of it may be another one than the hook meant.
  const isSpoilt =
    hasBadBytes &&
    (extras.modified_input !== undefined ||
      extras.modified_result !== undefined ||
      refusesWithoutBadBytes(text));
  const hidden = strictest(others);
  return {
    ...inside,
    ...(isSpoilt && { unreadable: inside.unreadable ?? NOT_UTF8 }),
    ...(rank(hidden?.decision) > Math.max(rank(inside.decision), 0) && findDecision(hidden)),
    ...findNotBy([inside, ...others]),
    extras,
    notes: [
      ...notes,
      ...(text.startsWith("[") ? ["its answer is in an array; print the object alone"] : []),
      ...inside.notes,
    ],
  };
}

/** What an output decides by all its readings together. */
function readFindings(text: string, readings: readonly Findings[], notes: readonly string[]): ReadOutput {
  const hasAnswer = readings.some((reading) => reading.hasAnswer);
  // In another encoding than its own an answer may look broken; it counts as broken only where none can be read.
  const isBroken = readings.some(
    ({ looksLike }) =>
      looksLike === "refusal" || (looksLike === "answer" && (readings.length === 1 || !hasAnswer)),
  );
  const unreadable = isBroken
    ? `it printed something that looks like an answer and is not JSON (${whyNot(text)})`
    : readings.find((reading) => reading.unreadable !== undefined)?.unreadable;
  return {
    ...findDecision(strictest(readings)),
    ...(unreadable !== undefined && { unreadable }),
    ...findNotBy(readings),
    extras: {},
    text,
    notes: [
      ...(hasAnswer ? [...notes, AMONG_OUTPUT] : []),
      ...(readings.some((reading) => reading.hasContext) ? [CONTEXT_IGNORED] : []),
      ...readings.flatMap((reading) => [...reading.notes]),
    ],
  };
}

const AMONG_OUTPUT =
  "its answer stands among other output, of which only the decision is taken; print the JSON alone";
const CONTEXT_IGNORED = "its additional_context is ignored, because it printed other output beside it";

function strictest(readings: readonly Findings[]): Findings | undefined {
  return readings.reduce<Findings | undefined>(
    (best, reading) => (rank(reading.decision) > rank(best?.decision) ? reading : best),
    undefined,
  );
}

function findDecision(findings: Findings | undefined): Pick<ReadOutput, "decision" | "reason"> {
  if (findings?.decision === undefined) return {};
  return { decision: findings.decision, reason: findings.reason };
}

/** The strictest of all readings, whichever of them decides: one that asks may be read in two encodings. */
function findNotBy(
  readings: readonly { readonly notBy?: WrittenNotBy | undefined }[],
): Pick<ReadOutput, "notBy"> {
  const notBy = readings.reduce<WrittenNotBy | undefined>(
    (strictest, reading) => stricterNotBy(strictest, reading.notBy),
    undefined,
  );
  return notBy === undefined ? {} : { notBy };
}

function whyNot(text: string): string {
  try {
    JSON.parse(text);
    return "it is text in quotes";
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ").slice(0, 120);
  }
}
