import { findJson } from "./find-json.ts";
import { Findings } from "./findings.ts";
import { LONGEST_SEQUENCE, plainText } from "./output-text.ts";

/** Text is searched when there is so much of it. */
const BLOCK = 1024 * 1024;
/** An object that is longer is not read as an answer. */
const LONGEST_ANSWER = 1024 * 1024;
/** A block is cut at the end of a line, unless its last line is longer. */
const LONGEST_LINE = 64 * 1024;

/**
 * Searches a text of any length for answers while it arrives, in bounded memory. What a block leaves open is searched again
 * with the next one, until it is longer than an answer may be.
 */
export class TextSearch {
  readonly #findings = new Findings();
  #parts: string[] = [];
  #length = 0;
  /** The end of the text before, which may be half of a sequence for a terminal. */
  #sequence = "";
  /** What the text before has left open. */
  #open = "";
  #isBeginning = true;
  #beginsAsJson = false;

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length >= BLOCK) this.#search(false);
  }

  /** What all of it decides. */
  end(): Findings {
    this.#search(true);
    if (this.#beginsAsJson) this.#findings.unreadable ??= "it printed more JSON than is read (1 MiB)";
    return this.#findings;
  }

  #search(isLast: boolean): void {
    let text = this.#open + this.#next(isLast);
    if (this.#isBeginning) text = text.trimStart();
    const { found, open } = findJson(text);
    let end = text.length;
    if (!isLast && open !== undefined && text.length - open.start <= LONGEST_ANSWER) end = open.start;
    else if (!isLast && open !== undefined && text.length - open.token <= LONGEST_ANSWER) end = open.token;
    else if (!isLast) end = afterLastLine(text, found.at(-1)?.end ?? 0);
    if (this.#isBeginning && end > 0) {
      this.#isBeginning = false;
      const [first] = found;
      const isRead = first?.start === 0 && first.end <= LONGEST_ANSWER;
      this.#beginsAsJson = /^\{\s*"/.test(text) && !isRead;
    }
    this.#open = text.slice(end);
    this.#findings.add(
      text.slice(0, end),
      found.filter((json) => json.end <= end),
    );
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
}

function afterLastLine(text: string, least: number): number {
  const end = text.lastIndexOf("\n") + 1;
  return end >= least && text.length - end <= LONGEST_LINE ? end : text.length;
}
