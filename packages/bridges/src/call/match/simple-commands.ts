/** A simple command of a shell text. */
export interface SimpleCommand {
  /** Without quotes; what a word substitutes stays as it is written. */
  readonly words: string[];
  /** It reads a file, a text or a pipe rather than what is typed. */
  isFed: boolean;
  /** The commands of one pipeline have the same number. */
  readonly pipeline: number;
}

/** Thrown for a text that is nested too deeply to be read. */
export class UnreadableText extends Error {}

const DEEPEST = 50;
/** Sticky: each is tried at one position only. */
const NEWLINE = /\n/y;
const BLANKS = /(?:\\\n|[^\S\n])+/y;
const COMMENT = /[^\n]*/y;
const HERE_STRING = /<<</y;
const HERE_DOCUMENT = /<<-?/y;
const SUBSTITUTED_FILE = /[<>]\(/y;
const INPUT = /<[&>]?/y;
const OUTPUT = /&?>[>|&]?/y;
const GROUP = /\(/y;
const PIPE = /\|&?(?!\|)/y;
const SEPARATOR = /[;&|)]+/y;
const SUBSTITUTION = /\((?!\()/y;
const PLAIN = /[^\s;&|()<>'"`$\\]+/y;
const PLAIN_QUOTED = /[^"`$\\]+/y;
/** What may begin something else than a word. */
const SPECIAL = new Set("\\#<>&(|;)");
const ENDS_WORD = /[\s;&|()<>]/;
/** Redirecting from these is still to read what is typed. */
const TERMINALS = /^(?:\/dev\/(?:stdin|tty|fd\/0)|\/proc\/self\/fd\/0|&?0|-)$/;

/** The simple commands of a shell text in their order, also those inside of groups and substitutions. Throws `UnreadableText`. */
export function simpleCommands(text: string): readonly SimpleCommand[] {
  const reader = new Reader(text);
  reader.list(undefined, 0);
  return reader.found;
}

/** Whether a word names what is typed. */
export function isTerminal(word: string): boolean {
  return TERMINALS.test(word);
}

class Reader {
  readonly found: SimpleCommand[] = [];
  readonly #text: string;
  #at = 0;
  #pipelines = 0;
  /** Ends of here-documents that begin on the next line. */
  #ends: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads commands up to a closing character. */
  list(close: string | undefined, depth: number): void {
    if (depth > DEEPEST) throw new UnreadableText("the command is nested too deeply");
    let command: SimpleCommand = { words: [], isFed: false, pipeline: ++this.#pipelines };
    const end = (isPiped: boolean) => {
      if (command.words.length > 0) this.found.push(command);
      const pipeline = isPiped ? command.pipeline : ++this.#pipelines;
      command = { words: [], isFed: isPiped, pipeline };
    };
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? "";
      if (character === close) break;
      if (!SPECIAL.has(character) && character.trim() !== "") {
        const word = this.#word(depth);
        // The number before a redirection belongs to it.
        if (!/^\d+$/.test(word) || !/[<>]/.test(this.#text[this.#at] ?? "")) command.words.push(word);
      } else if (this.#skip(NEWLINE)) {
        end(false);
        this.#skipHereDocuments();
      } else if (this.#skip(BLANKS)) continue;
      else if (character === "#") this.#skip(COMMENT);
      else if (this.#skip(HERE_STRING)) {
        this.#target(depth);
        command.isFed = true;
      } else if (this.#skip(HERE_DOCUMENT)) {
        this.#ends.push(this.#target(depth));
        command.isFed = true;
      } else if (this.#skip(SUBSTITUTED_FILE)) {
        this.list(")", depth + 1);
        command.words.push("/dev/fd/63");
      } else if (this.#skip(INPUT)) {
        const isTyped = TERMINALS.test(this.#target(depth));
        command.isFed = !isTyped;
      } else if (this.#skip(OUTPUT)) this.#target(depth);
      else if (this.#skip(GROUP)) {
        const before = this.found.length;
        this.list(")", depth + 1);
        // A group reads what its pipeline gives it.
        if (command.isFed) for (const each of this.found.slice(before)) each.isFed = true;
      } else if (this.#skip(PIPE)) end(true);
      else if (this.#skip(SEPARATOR)) end(false);
      else command.words.push(this.#word(depth));
    }
    this.#at++;
    end(false);
  }

  #target(depth: number): string {
    this.#skip(BLANKS);
    return this.#word(depth);
  }

  #word(depth: number): string {
    let word = "";
    while (this.#at < this.#text.length) {
      const plain = this.#take(PLAIN);
      if (plain !== "") {
        word += plain;
        continue;
      }
      const character = this.#text[this.#at] ?? "";
      if (ENDS_WORD.test(character)) break;
      this.#at++;
      if (character === "'") word += this.#upTo("'");
      else if (character === '"') word += this.#quoted(depth);
      else word += this.#part(character, depth);
    }
    return word;
  }

  #quoted(depth: number): string {
    let word = "";
    while (this.#at < this.#text.length) {
      word += this.#take(PLAIN_QUOTED);
      const character = this.#text[this.#at++] ?? "";
      if (character === '"') break;
      word += this.#part(character, depth);
    }
    return word;
  }

  /** What a character outside of single quotes begins. */
  #part(character: string, depth: number): string {
    const start = this.#at - 1;
    if (character === "\\") return this.#text[this.#at++]?.replace("\n", "") ?? "";
    if (character === "`") this.list("`", depth + 1);
    else if (character === "$" && this.#skip(SUBSTITUTION)) this.list(")", depth + 1);
    else return character;
    return this.#text.slice(start, this.#at);
  }

  #upTo(end: string): string {
    const found = this.#text.indexOf(end, this.#at);
    const taken = this.#text.slice(this.#at, found < 0 ? undefined : found);
    this.#at += taken.length + 1;
    return taken;
  }

  #skipHereDocuments(): void {
    for (const end of this.#ends.splice(0))
      while (this.#at < this.#text.length && this.#upTo("\n").trim() !== end);
  }

  #skip(pattern: RegExp): boolean {
    return this.#take(pattern) !== "";
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ""] = pattern.exec(this.#text) ?? [];
    this.#at += taken.length;
    return taken;
  }
}
