import { palette, type Style, styled } from "../terminal.ts";

/** How often the time of an open line is updated. */
const TICK_MS = 1_000;

type Streams = { readonly out: NodeJS.WriteStream; readonly err: NodeJS.WriteStream };

/**
 * Coordinates standard output and standard error, which share the cursor of a terminal: streamed text goes to standard output,
 * lines about it to standard error.
 */
export class Screen {
  readonly styles: ReturnType<typeof palette>;
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  #isMidText = false;
  #open: OpenLine | undefined;
  /** Output during a prompt, which is written afterwards. */
  #deferred: (() => void)[] | undefined;
  #lastPrompt: Promise<unknown> = Promise.resolve();

  constructor({ out, err }: Streams = { out: process.stdout, err: process.stderr }) {
    this.#out = out;
    this.#err = err;
    this.styles = palette(err);
  }

  /** Whether standard output is a terminal, where text is streamed. */
  get isTerminal(): boolean {
    return this.#out.isTTY === true;
  }

  /** The maximum length of a line; a log file may have longer lines than a terminal. */
  get width(): number {
    return this.#err.isTTY ? Math.max(20, (this.#err.columns || 80) - 1) : 200;
  }

  /** Writes a piece of streamed text. */
  text(piece: string): void {
    this.#write(() => {
      this.#closeOpen();
      this.#out.write(styled(piece));
      this.#isMidText = !piece.endsWith("\n");
    });
  }

  /** Ends the streamed text. */
  endText(): void {
    this.#write(() => this.#endText());
  }

  /** Writes a line. */
  line(text: string): void {
    this.#write(() => {
      this.#freshLine();
      this.#err.write(`${styled(text)}\n`);
    });
  }

  /**
   * Writes a line that is not final: on a terminal it shows its duration, and can be replaced. A transient line is replaced by
   * the next output.
   */
  openLine(key: string, text: string, { isTransient = false } = {}): void {
    if (!this.#err.isTTY) this.line(text);
    else
      this.#write(() => {
        this.#freshLine();
        const write = (line: string) => this.#err.write(line);
        this.#open = new OpenLine(key, text, { write, dim: this.styles.dim, isTransient });
      });
  }

  /** Replaces an open line if it is still the last one; otherwise writes a new line. */
  settleLine(key: string, text: string): void {
    this.#write(() => {
      if (this.#open?.key === key) this.#open.replaceBy(text);
      else {
        this.#freshLine();
        this.#err.write(styled(text));
      }
      this.#open = undefined;
      this.#err.write("\n");
    });
  }

  /** Runs a prompt alone: other prompts wait, and other output is written afterwards. */
  async exclusively<T>(prompt: () => Promise<T>): Promise<T> {
    const result = this.#lastPrompt.then(async () => {
      this.#freshLine();
      this.#deferred = [];
      try {
        return await prompt();
      } finally {
        const deferred = this.#deferred;
        this.#deferred = undefined;
        for (const write of deferred) write();
      }
    });
    this.#lastPrompt = result.catch(() => undefined);
    return result;
  }

  #write(write: () => void): void {
    if (this.#deferred === undefined) write();
    else this.#deferred.push(write);
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
  readonly #isTransient: boolean;
  readonly #timer: NodeJS.Timeout;

  constructor(
    key: string,
    text: string,
    { write, dim, isTransient }: { write: (text: string) => void; dim: Style; isTransient: boolean },
  ) {
    this.key = key;
    this.#write = write;
    this.#isTransient = isTransient;
    const openedAt = performance.now();
    write(styled(text));
    this.#timer = setInterval(() => {
      const seconds = Math.round((performance.now() - openedAt) / 1_000);
      write(`${BACK}${styled(`${text}${dim(`  ${seconds} s`)}`)}`);
    }, TICK_MS).unref();
  }

  replaceBy(text: string): void {
    clearInterval(this.#timer);
    this.#write(`${BACK}${styled(text)}`);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#write(this.#isTransient ? BACK : "\n");
  }
}

/** Moves to the beginning of the line and clears it. */
const BACK = "\r\u001B[K";
