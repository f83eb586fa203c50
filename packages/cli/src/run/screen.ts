import { type palette, palette as paletteOf, type Style, shown } from "../terminal.ts";

/** How often the time of a line that is still open is brought up to date. */
const TICK_MS = 1_000;

type Streams = { readonly out: NodeJS.WriteStream; readonly err: NodeJS.WriteStream };

/**
 * Standard output and standard error as one picture. On a terminal they share the cursor, so whoever writes to one must know
 * where the other left it: text that comes in pieces goes to the first, lines about it to the second.
 */
export class Screen {
  readonly styles: ReturnType<typeof palette>;
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  #isMidText = false;
  #open: OpenLine | undefined;
  /** What was written while a person was asked, and is shown afterwards. */
  #held: (() => void)[] | undefined;
  #lastQuestion: Promise<unknown> = Promise.resolve();

  constructor({ out, err }: Streams = { out: process.stdout, err: process.stderr }) {
    this.#out = out;
    this.#err = err;
    this.styles = paletteOf(err);
  }

  /** Whether text is read by a person while it comes, rather than by a program in the end. */
  get isRead(): boolean {
    return this.#out.isTTY === true;
  }

  /** How many letters a line may have. What is no terminal is read in an editor, where long lines are no harm up to a point. */
  get width(): number {
    return this.#err.isTTY ? Math.max(20, (this.#err.columns || 80) - 1) : 200;
  }

  /** A piece of text, as it comes. */
  text(piece: string): void {
    this.#write(() => {
      this.#closeOpen();
      this.#out.write(shown(piece));
      this.#isMidText = !piece.endsWith("\n");
    });
  }

  /** Ends the text that came in pieces. */
  endText(): void {
    this.#write(() => this.#endText());
  }

  /** A line about what happens. */
  line(text: string): void {
    this.#write(() => {
      this.#freshLine();
      this.#err.write(`${shown(text)}\n`);
    });
  }

  /**
   * A line that is not settled yet: on a terminal it shows how long it has been open, and may be replaced. A passing one is
   * replaced by whatever comes.
   */
  openLine(key: string, text: string, { isPassing = false } = {}): void {
    if (!this.#err.isTTY) this.line(text);
    else
      this.#write(() => {
        this.#freshLine();
        const write = (line: string) => this.#err.write(line);
        this.#open = new OpenLine(key, text, { write, dim: this.styles.dim, isPassing });
      });
  }

  /** Replaces that line while it is the last one; otherwise it is a line of its own. */
  settleLine(key: string, text: string): void {
    this.#write(() => {
      if (this.#open?.key === key) this.#open.replaceBy(text);
      else {
        this.#freshLine();
        this.#err.write(shown(text));
      }
      this.#open = undefined;
      this.#err.write("\n");
    });
  }

  /** Has the screen to itself, for a question: others wait, and what is written meanwhile is shown afterwards. */
  async exclusively<T>(question: () => Promise<T>): Promise<T> {
    const mine = this.#lastQuestion.then(async () => {
      this.#freshLine();
      this.#held = [];
      try {
        return await question();
      } finally {
        const held = this.#held;
        this.#held = undefined;
        for (const write of held) write();
      }
    });
    this.#lastQuestion = mine.catch(() => undefined);
    return mine;
  }

  #write(write: () => void): void {
    if (this.#held === undefined) write();
    else this.#held.push(write);
  }

  #freshLine(): void {
    this.#endText();
    this.#closeOpen();
  }

  #endText(): void {
    if (this.#isMidText) this.#out.write("\n");
    this.#isMidText = false;
  }

  #closeOpen(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}

class OpenLine {
  readonly key: string;
  readonly #write: (text: string) => void;
  readonly #isPassing: boolean;
  readonly #timer: NodeJS.Timeout;

  constructor(
    key: string,
    text: string,
    { write, dim, isPassing }: { write: (text: string) => void; dim: Style; isPassing: boolean },
  ) {
    this.key = key;
    this.#write = write;
    this.#isPassing = isPassing;
    const openedAt = performance.now();
    write(shown(text));
    this.#timer = setInterval(() => {
      const seconds = Math.round((performance.now() - openedAt) / 1_000);
      write(`${BACK}${shown(`${text}${dim(`  ${seconds} s`)}`)}`);
    }, TICK_MS).unref();
  }

  replaceBy(text: string): void {
    clearInterval(this.#timer);
    this.#write(`${BACK}${shown(text)}`);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#write(this.#isPassing ? BACK : "\n");
  }
}

/** To the beginning of the line, and clear it. */
const BACK = "\r\u001B[K";
