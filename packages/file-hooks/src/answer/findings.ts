import type { DecisionWord } from "./answer-keys.ts";
import { type Answer, answerOf, rank } from "./answer-of.ts";
import { evaluateObject } from "./evaluate-object.ts";
import { type FoundJson, findJson, type JsonNode, JsonObject } from "./find-json.ts";
import { readMention } from "./mentions-answer.ts";
import { stricterNotBy, type WrittenNotBy } from "./not-by.ts";

/** So much of the text before is searched again with what follows: a key may stand there, and its colon here. */
const LOOKBACK = 512;
/** A hook that prints a thousand answers needs no thousand notes. */
const MOST_NOTES = 20;

/** What an output decides that is more than one JSON object. Its text may be added in parts. */
export class Findings {
  /** The strictest of all complete objects. */
  decision: DecisionWord | undefined;
  reason: unknown;
  /** The strictest of all that ask. */
  notBy: WrittenNotBy | undefined;
  /** Why a complete object cannot be read as an answer. */
  unreadable: string | undefined;
  hasAnswer = false;
  hasContext = false;
  /** What the text beside the complete objects looks like. */
  looksLike: "answer" | "refusal" | undefined;
  readonly notes = new Set<string>();
  #before = "";

  add(text: string, found: readonly FoundJson[]): void {
    for (const { value } of found) for (const object of topObjects(value)) this.#addObject(object);
    const rest = this.#before + without(text, found);
    if (this.looksLike !== "refusal") this.looksLike = readMention(rest) ?? this.looksLike;
    // The mark keeps the middle of a line from being taken for its beginning.
    this.#before = rest.length > LOOKBACK ? `\0${rest.slice(-LOOKBACK)}` : rest;
    if (!this.refuses && refusesWithoutBadBytes(text)) this.unreadable ??= NOT_UTF8;
  }

  get refuses(): boolean {
    return rank(this.decision) > 0;
  }

  #addObject(object: JsonObject): void {
    const answer = answerOf(object);
    const inside = evaluateObject(object, answer, true);
    if (rank(inside.decision) > rank(this.decision))
      ({ decision: this.decision, reason: this.reason } = inside);
    this.notBy = stricterNotBy(this.notBy, inside.notBy);
    this.unreadable ??= inside.unreadable ?? changeAmongText(answer);
    this.hasAnswer ||= answer.isAnswer;
    this.hasContext ||= answer.extras.has("additional_context");
    for (const note of inside.notes) if (this.notes.size < MOST_NOTES) this.notes.add(note);
  }
}

export const NOT_UTF8 = "it printed bytes that are not UTF-8 beside what looks like an answer; print UTF-8";

/** Whether a refusal would stand in a text without the characters that stand for bytes which are not UTF-8. */
export function refusesWithoutBadBytes(text: string): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  const { found } = findJson(text.replaceAll(REPLACEMENT, ""));
  return found.some(({ value }) =>
    topObjects(value).some((object) => rank(evaluateObject(object, answerOf(object), true).decision) > 0),
  );
}

const REPLACEMENT = "\ufffd";

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

function without(text: string, found: readonly FoundJson[]): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of found) {
    rest += `${text.slice(at, start)}\n`;
    at = end;
  }
  return rest + text.slice(at);
}

function changeAmongText({ extras }: Answer): string | undefined {
  const name = (["modified_input", "modified_result"] as const).find((change) => extras.has(change));
  if (name === undefined) return undefined;
  return `it gave ${name} among other output, where no change is taken; print the JSON alone`;
}
