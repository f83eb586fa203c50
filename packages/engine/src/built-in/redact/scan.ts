/** Reports where something was found. */
export type Found = (start: number, end: number) => void;

/**
 * Searches a text from its beginning to its end. The text may be a megabyte written to be slow: a scan reads a bounded
 * number of characters at every position where it stops.
 */
export type Scan = (text: ScannedText, found: Found) => void;

export const DIGIT = 1;
export const LETTER = 2;
export const UNDERSCORE = 4;
export const DASH = 8;
export const DOT = 16;
/** `+`, `/`, `=` and `~`, which tokens in base64 and in URLs also have. */
export const PADDING = 32;
/** Space and tab. */
export const BLANK = 64;
export const ALNUM = DIGIT | LETTER;

// One entry for every code unit, so that a text of umlauts does not fall off the table.
const KINDS = new Uint8Array(65_536);
for (const [kind, chars] of [
  [DIGIT, "0123456789"],
  [LETTER, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  [UNDERSCORE, "_"],
  [DASH, "-"],
  [DOT, "."],
  [PADDING, "+/=~"],
  [BLANK, " \t"],
] as const) {
  for (const char of chars) KINDS[char.charCodeAt(0)] = kind;
}

const WORD = ALNUM | UNDERSCORE;
const NONE: readonly number[] = [];

/** A text with the kind of each of its characters and the positions where words begin, computed once for all scans. */
export class ScannedText {
  readonly text: string;
  readonly length: number;
  /** Where words begin that begin with a digit. */
  readonly numbers: readonly number[];
  /** Where the others begin, by their first character: nearly everything that is looked for begins a word. */
  readonly #words: readonly (readonly number[] | undefined)[];
  /** One entry more at either end, so that scans need not check for the first and the last character. */
  readonly #kinds: Uint8Array;

  constructor(text: string) {
    const { length } = text;
    const kinds = new Uint8Array(length + 2);
    const numbers: number[] = [];
    const words: number[][] = [];
    let before = 0;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      const kind = KINDS[code] as number;
      kinds[at + 1] = kind;
      if ((kind & WORD) !== 0 && (before & WORD) === 0) {
        const alike = kind === DIGIT ? numbers : words[code];
        if (alike === undefined) words[code] = [at];
        else alike.push(at);
      }
      before = kind;
    }
    this.text = text;
    this.length = length;
    this.numbers = numbers;
    this.#words = words;
    this.#kinds = kinds;
  }

  /** Where words begin that begin with this letter. */
  words(initial: string): readonly number[] {
    return this.#words[initial.charCodeAt(0)] ?? NONE;
  }

  /** Whether the character at a position is of one of the kinds; false outside the text. */
  is(at: number, kinds: number): boolean {
    return at <= this.length && ((this.#kinds[at + 1] as number) & kinds) !== 0;
  }

  isDigit(at: number): boolean {
    return at <= this.length && this.#kinds[at + 1] === DIGIT;
  }

  /** The first position, from `at` on but no further than `end`, where the kinds stop. */
  past(at: number, kinds: number, end = this.length): number {
    const table = this.#kinds;
    const last = Math.min(end, this.length);
    let here = at;
    while (here < last && ((table[here + 1] as number) & kinds) !== 0) here++;
    return here;
  }

  /** The end of the run of digits that begins here, looking no further than `most` characters. */
  digits(at: number, most: number): number {
    return this.past(at, DIGIT, at + most);
  }

  /** Calls `visit` at every occurrence of the text; it returns where to continue. */
  everywhere(searched: string, visit: (at: number) => number): void {
    const { text } = this;
    for (let at = text.indexOf(searched); at >= 0; ) {
      at = text.indexOf(searched, Math.max(visit(at), at + searched.length));
    }
  }
}
