import { Answer, type Decided, type DecisionWord, readMention, takeRefusal } from "./answer.ts";
import { type FoundJson, findJson, type JsonNode, JsonObject } from "./find-json.ts";

/** Text is searched when there is so much of it. */
const BLOCK = 1024 * 1024;
/** An object that is longer is not read as an answer. */
const LONGEST_ANSWER = 1024 * 1024;
/** A block ends with a line, unless that is longer. */
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
export class Reading implements Decided {
  /** The strictest refusal. */
  decision: DecisionWord | undefined;
  reason: JsonNode | undefined;
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
  /** What the text before has left open. */
  #open = "";
  #isBeginning = true;
  /** The end of the text before that is in no complete object. */
  #before = "";

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length < BLOCK) return;
    const block = this.#parts.join("");
    const end = endOfBlock(block);
    this.#search(block.slice(0, end), false);
    this.#parts = [block.slice(end)];
    this.#length = block.length - end;
  }

  /** Reads what is left. */
  end(): this {
    this.#search(this.#parts.join(""), true);
    return this;
  }

  /** Something in it looks like an answer, and was not read. */
  get isBroken(): boolean {
    return this.looksLike !== undefined || this.isBeginningUnread;
  }

  #search(block: string, isLast: boolean): void {
    let text = this.#open + plainText(block);
    if (this.#isBeginning) text = text.trimStart();
    const { found, open } = findJson(text);
    // The outermost of those that can still become an answer.
    const cut = isLast ? undefined : open.find((start) => text.length - start <= LONGEST_ANSWER);
    const end = cut ?? text.length;
    this.#open = text.slice(end);
    const complete = found.filter((json) => json.end <= end);
    if (this.#isBeginning && end > 0) {
      this.#isBeginning = false;
      const [first] = complete;
      const isRead = first?.start === 0 && first.end <= LONGEST_ANSWER;
      this.isBeginningUnread = /^\{\s*"/.test(text) && !isRead;
    }
    for (const { value } of complete) for (const object of topObjects(value)) this.#readObject(object);
    // Bytes that are not UTF-8 must not hide a refusal.
    if (text.includes(REPLACEMENT))
      for (const { value } of findJson(text.replaceAll(REPLACEMENT, "")).found)
        for (const object of topObjects(value)) takeRefusal(this, new Answer(object).addInside(object, true));
    const rest = this.#before + without(text.slice(0, end), complete);
    if (this.looksLike !== "refusal") this.looksLike = readMention(rest) ?? this.looksLike;
    // The mark keeps the middle of a line from being taken for its beginning.
    this.#before = rest.length > LOOKBACK ? `\0${rest.slice(-LOOKBACK)}` : rest;
  }

  #readObject(object: JsonObject): void {
    const answer = new Answer(object).addInside(object, true);
    takeRefusal(this, answer);
    const change = [...answer.extras.keys()].find((name) => name.startsWith("modified"));
    this.unreadable ??=
      answer.unreadable ??
      (change && `it gave ${change} among other output, where no change is taken; print the JSON alone`);
    this.hasAnswer ||= answer.isAnswer;
    this.hasContext ||= answer.extras.has("additional_context");
    for (const note of answer.notes) if (this.notes.size < MOST_NOTES) this.notes.add(note);
  }
}

/** Stands for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** Where a block is cut: behind its last line; within a line that is longer anywhere but in a sequence for a terminal. */
function endOfBlock(text: string): number {
  const line = text.lastIndexOf("\n") + 1;
  if (text.length - line <= LONGEST_LINE) return line;
  const from = text.length - LONGEST_SEQUENCE;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const sequence = text.slice(from).search(/[\x1b\x9b]/);
  return sequence < 0 ? text.length : from + sequence;
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
