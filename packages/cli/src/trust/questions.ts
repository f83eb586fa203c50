import { createInterface, type Interface } from "node:readline";

/** Asks questions. Lines that were typed ahead answer the next question. */
export class Questions {
  readonly #output: NodeJS.WriteStream;
  readonly #interface: Interface;
  readonly #answers: string[] = [];
  #waiting: ((answer: string | undefined) => void) | undefined;
  #isClosed = false;

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
    this.#interface = createInterface({ input: process.stdin });
    this.#interface.on("line", (line) => this.#take(line));
    this.#interface.on("close", () => {
      this.#isClosed = true;
      this.#take(undefined);
    });
  }

  /** True only for an explicit yes; the end of the input is a no. */
  async ask(question: string): Promise<boolean> {
    return /^y(?:es)?$/i.test((await this.askText(`${question} [y/N] `)) ?? "");
  }

  /** The answer without spaces around it; `undefined` at the end of the input. */
  async askText(question: string): Promise<string | undefined> {
    this.#output.write(question);
    return (await this.#next())?.trim();
  }

  close(): void {
    this.#interface.close();
  }

  #next(): Promise<string | undefined> {
    const early = this.#answers.shift();
    if (early !== undefined || this.#isClosed) return Promise.resolve(early);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #take(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) waiting(line);
    else if (line !== undefined) this.#answers.push(line);
  }
}

/** Asks one question. */
export async function askOnce(output: NodeJS.WriteStream, question: string): Promise<boolean> {
  const questions = new Questions(output);
  try {
    return await questions.ask(question);
  } finally {
    questions.close();
  }
}
