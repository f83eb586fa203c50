import { Answer, type DecisionWord, plainValue, rank, readMention, stricterNotBy } from "./answer.ts";
import { type FoundJson, findJson, type JsonNode, JsonObject } from "./find-json.ts";

/** Text is searched when there is so much of it. */
const BLOCK = 1024 * 1024;
/** An object that is longer is not read as an answer. */
const LONGEST_ANSWER = 1024 * 1024;
/** A block is cut at the end of a line, unless its last line is longer. */
const LONGEST_LINE = 64 * 1024;
/** So much of the text before is searched again with what follows: a key may stand there, and its colon here. */
const LOOKBACK = 512;
/** A hook that prints a thousand answers needs no thousand notes. */
const MOST_NOTES = 20;

/**
 * What a text decides that is more than one JSON object: the strictest of all complete objects counts, and what looks like an
 * answer beside them is named. A text of any length is read while it arrives, in bounded memory: what a block leaves open is
 * searched again with the next one, until it is longer than an answer may be.
 */
export class Reading {
  decision: DecisionWord | undefined;
  reason: unknown;
  /** The strictest of all that ask. */
  notBy: string | undefined;
  /** Why a complete object cannot be read as an answer. */
  unreadable: string | undefined;
  hasAnswer = false;
  hasContext = false;
  /** What the text beside the complete objects looks like. */
  looksLike: "answer" | "refusal" | undefined;
  /** It begins with an object that was not read: the hook meant it as its answer. */
  isBeginningUnread = false;
  readonly notes = new Set<string>();
  #parts: string[] = [];
  #length = 0;
  /** The end of the text before, which may be half of a sequence for a terminal. */
  #sequence = "";
  /** What the text before has left open. */
  #open = "";
  #isBeginning = true;
  /** The end of the text before that is in no complete object. */
  #before = "";

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length >= BLOCK) this.#search(false);
  }

  /** Reads what is left. */
  end(): this {
    this.#search(true);
    return this;
  }

  /** Something in it looks like an answer, and was not read. */
  get isBroken(): boolean {
    return this.looksLike !== undefined || this.isBeginningUnread;
  }

  get refuses(): boolean {
    return rank(this.decision) > 0;
  }

  #search(isLast: boolean): void {
    let text = this.#open + this.#next(isLast);
    if (this.#isBeginning) text = text.trimStart();
    const { found, open } = findJson(text);
    let end = text.length;
    if (!isLast && open !== undefined && end - open.start <= LONGEST_ANSWER) end = open.start;
    else if (!isLast && open !== undefined && end - open.token <= LONGEST_ANSWER) end = open.token;
    else if (!isLast) end = afterLastLine(text, found.at(-1)?.end ?? 0);
    if (this.#isBeginning && end > 0) {
      this.#isBeginning = false;
      const [first] = found;
      const isRead = first?.start === 0 && first.end <= LONGEST_ANSWER;
      this.isBeginningUnread = /^\{\s*"/.test(text) && !isRead;
    }
    this.#open = text.slice(end);
    const complete = found.filter((json) => json.end <= end);
    this.#read(text.slice(0, end), complete);
  }

  #next(isLast: boolean): string {
    const text = this.#sequence + this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    const from = Math.max(text.length - LONGEST_SEQUENCE, 0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    const sequence = isLast ? -1 : text.slice(from).search(/[\x1b\x9b]/);
    const end = sequence < 0 ? text.length : from + sequence;
    this.#sequence = text.slice(end);
    return plainText(text.slice(0, end));
  }

  #read(text: string, found: readonly FoundJson[]): void {
    for (const { value } of found) for (const object of topObjects(value)) this.#readObject(object);
    const rest = this.#before + without(text, found);
    if (this.looksLike !== "refusal") this.looksLike = readMention(rest) ?? this.looksLike;
    // The mark keeps the middle of a line from being taken for its beginning.
    this.#before = rest.length > LOOKBACK ? `\0${rest.slice(-LOOKBACK)}` : rest;
    // Bytes that are not UTF-8 must not hide a refusal.
    if (this.refuses || !text.includes(REPLACEMENT)) return;
    const plain = withoutReplacements(text);
    const hidden = new Reading();
    hidden.#read(plain, findJson(plain).found);
    if (hidden.refuses) ({ decision: this.decision, reason: this.reason } = hidden);
    this.notBy = stricterNotBy(this.notBy, hidden.notBy);
  }

  #readObject(object: JsonObject): void {
    const answer = new Answer(object).addInside(object, true);
    if (rank(answer.decision) > rank(this.decision)) {
      this.decision = answer.decision;
      this.reason = answer.reason === undefined ? undefined : plainValue(answer.reason);
    }
    this.notBy = stricterNotBy(this.notBy, answer.notBy);
    this.unreadable ??= answer.unreadable ?? changeAmongText(answer);
    this.hasAnswer ||= answer.isAnswer;
    this.hasContext ||= answer.extras.has("additional_context");
    for (const note of answer.notes) if (this.notes.size < MOST_NOTES) this.notes.add(note);
  }
}

/** Stands for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

export function withoutReplacements(text: string): string {
  return text.replaceAll(REPLACEMENT, "");
}

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

function afterLastLine(text: string, least: number): number {
  const end = text.lastIndexOf("\n") + 1;
  return end >= least && text.length - end <= LONGEST_LINE ? end : text.length;
}

/**
 * Removes what is for a terminal or a decoder: colour codes, other escape sequences, byte order marks, NULs (left by
 * UTF-16 in the middle of UTF-8). No sequence may contain quotes, braces or line ends, so that none can hide an answer.
 */
export function plainText(text: string): string {
  if (text.search(INVISIBLE) < 0) return text;
  // What is UTF-16 has a NUL behind each character of a sequence.
  return text.replaceAll(MARKS, "").replaceAll(SEQUENCES, "").replaceAll(INVISIBLE, "");
}

/** No sequence that is removed is longer, with its NULs. */
const LONGEST_SEQUENCE = 4_200;

const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /(?:\x1b\[|\x9b)[0-9;:?<=>]{0,64}[A-Za-z@`~]|\x1b[\]PX^_][^\x07\x1b{}"'\r\n]{0,2048}(?:\x07|\x1b\\)|\x1b[()][A-Za-z0-9]/g;
const MARKS = /[\0\ufeff\ufffe]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const INVISIBLE = /[\0\x1b\x9b\ufeff\ufffe]/g;
