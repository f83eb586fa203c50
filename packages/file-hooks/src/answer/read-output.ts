import type { DecisionWord } from "./answer-keys.ts";
import { type Answer, answerOf, rank, stricter } from "./answer-of.ts";
import { type FoundJson, type JsonNode, JsonObject, jsonInText } from "./json-in-text.ts";
import { partsOf, plainValue } from "./json-parts.ts";
import { mentionsAnswer, mentionsRefusal } from "./mentions-answer.ts";
import { plainText } from "./output-text.ts";

/** What a hook's process printed on standard output. */
export interface Printed {
  readonly text: string;
  /** There was more than is kept; the text has a gap. */
  readonly isCut: boolean;
  readonly isUtf16: boolean;
}

/** What was read from the output of a process. */
export interface ReadOutput {
  /** Absent when it decides nothing. */
  readonly decision?: DecisionWord;
  readonly reason?: unknown;
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
export function readOutput({ text: printed, isCut, isUtf16 }: Printed): ReadOutput {
  if (printed === "") return NOTHING;
  const notes = isUtf16 ? ["it printed UTF-16; print UTF-8"] : [];
  let text = printed.replace(/^\uFEFF/, "").trim();
  let found = jsonInText(text);
  let whole = wholeObject(found, text);
  if (whole === undefined) {
    const plain = plainText(text).trim();
    if (plain !== text) {
      text = plain;
      found = jsonInText(text);
      whole = wholeObject(found, text);
      if (found.length > 0) notes.push("it printed colour codes or other invisible characters; print none");
    }
  }
  if (text === "") return NOTHING;
  return whole === undefined ? readMixed(text, found, isCut, notes) : readWhole(whole, text, notes);
}

/** The object that a text consists of, be it alone in an array. */
function wholeObject(found: readonly FoundJson[], text: string): JsonObject | undefined {
  const [only] = found;
  if (found.length !== 1 || only === undefined || only.end - only.start !== text.length) return undefined;
  const value = Array.isArray(only.value) && only.value.length === 1 ? only.value[0] : only.value;
  return value instanceof JsonObject ? value : undefined;
}

function readWhole(object: JsonObject, text: string, notes: readonly string[]): ReadOutput {
  const answer = answerOf(object);
  const inside = judged(object, answer, false);
  return {
    ...inside,
    extras: Object.fromEntries([...answer.extras].map(([name, value]) => [name, plainValue(value)])),
    notes: [
      ...notes,
      ...(text.startsWith("[") ? ["its answer is in an array; print the object alone"] : []),
      ...inside.notes,
    ],
  };
}

function readMixed(
  text: string,
  found: readonly FoundJson[],
  isCut: boolean,
  notes: readonly string[],
): ReadOutput {
  const all = found
    .flatMap(({ value }) => topObjects(value))
    .map((object) => {
      const answer = answerOf(object);
      return { answer, ...judged(object, answer, true) };
    });
  const strictest = all.reduce<(typeof all)[number] | undefined>(
    (best, each) => (rank(each.decision) > rank(best?.decision) ? each : best),
    undefined,
  );
  const unreadable =
    unreadableText(text, found, isCut) ??
    all.find((each) => each.unreadable !== undefined)?.unreadable ??
    changeAmongText(all.map(({ answer }) => answer));
  const hasAnswer = all.some(({ answer }) => answer.isAnswer);
  const isIgnored = all.some(({ answer: { extras } }) => extras.has("additional_context"));
  return {
    ...(strictest?.decision !== undefined && { decision: strictest.decision, reason: strictest.reason }),
    ...(unreadable !== undefined && { unreadable }),
    extras: {},
    text,
    notes: [
      ...(hasAnswer ? [...notes, AMONG_OUTPUT] : []),
      ...(isIgnored ? ["its additional_context is ignored, because it printed other output beside it"] : []),
      ...all.flatMap((each) => each.notes),
    ],
  };
}

const AMONG_OUTPUT =
  "its answer stands among other output, of which only the decision is taken; print the JSON alone";

/** The objects that stand for themselves, be it in arrays. Texts in those make one more object. */
function topObjects(value: JsonObject | JsonNode[]): readonly JsonObject[] {
  if (value instanceof JsonObject) return [value];
  const objects: JsonObject[] = [];
  const texts = new JsonObject();
  const rest: JsonNode[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    else if (next instanceof JsonObject) objects.push(next);
    else if (typeof next === "string") texts.entries.push(["", next]);
  }
  return texts.entries.length === 0 ? objects : [...objects, texts];
}

interface Judged {
  readonly decision?: DecisionWord;
  readonly reason?: unknown;
  readonly unreadable?: string;
  readonly notes: readonly string[];
}

/** What an object decides, including refusals inside it: text around a hook's answer must not be able to wrap it away. */
function judged(object: JsonObject, answer: Answer, withChanges: boolean): Judged {
  let decision = answer.decision;
  let { reason } = answer;
  let unreadable =
    answer.unreadable === undefined
      ? undefined
      : `its decision is ${shown(plainValue(answer.unreadable))}; it can be allow, deny, ask or stop`;
  const notes = [...answer.tolerated];
  for (const part of partsOf(object, withChanges)) {
    if (typeof part === "string") {
      if (!answer.isAnswer && mentionsRefusal(part))
        unreadable ??= "it printed an answer as text inside JSON";
      continue;
    }
    if (part === object || !(part instanceof JsonObject)) continue;
    const inner = answerOf(part);
    if (!inner.isCertain || rank(inner.decision) <= Math.max(rank(decision), 0)) continue;
    decision = stricter(inner.decision, decision);
    reason = inner.reason;
    notes.push("its decision is inside another object; print it at the top");
  }
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason: plainValue(reason) }),
    ...(unreadable !== undefined && { unreadable }),
    notes,
  };
}

/** Why the text beside the complete objects looks like an answer. */
function unreadableText(text: string, found: readonly FoundJson[], isCut: boolean): string | undefined {
  const beginsAsJson = /^\{\s*"/.test(text) && found[0]?.start !== 0;
  if (beginsAsJson && isCut) return "it printed more JSON than is read (1 MiB)";
  if (!beginsAsJson && !mentionsAnswer(without(text, found))) return undefined;
  return `it printed something that looks like an answer and is no JSON (${whyNot(text)})`;
}

function without(text: string, found: readonly FoundJson[]): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of found) {
    rest += `${text.slice(at, start)}\n`;
    at = end;
  }
  return rest + text.slice(at);
}

function whyNot(text: string): string {
  try {
    JSON.parse(text);
    return "it is text in quotes";
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ").slice(0, 120);
  }
}

function changeAmongText(answers: readonly Answer[]): string | undefined {
  const name = (["modified_input", "modified_result"] as const).find((change) =>
    answers.some(({ extras }) => extras.has(change)),
  );
  if (name === undefined) return undefined;
  return `it gave ${name} among other output, where no change is taken; print the JSON alone`;
}

export function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}
