import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { type OutputKeeper, OutputTail } from "@tenterhook/engine/process";
import { boundedText } from "./bounded.ts";

/** The most letters of one line. */
const MOST_IN_LINE = 2_000;

/** A process that says more than this is not telling a person anything. */
const MOST_LINES = 10_000;

/** How much of the end is kept, for the error of a process that failed. */
const KEPT_BYTES = 4_000;

/** Takes what a process prints for people: told line by line as it comes, and its end kept. */
export class LogLines implements OutputKeeper {
  readonly #tell: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  readonly #tail = new OutputTail(KEPT_BYTES);
  #begun = "";
  #count = 0;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  add(chunk: Buffer): void {
    this.#tail.add(chunk);
    const lines = `${this.#begun}${this.#decoder.write(chunk)}`.split(/\r?\n/);
    // A progress bar never ends its line; what is told of it is its beginning.
    this.#begun = (lines.pop() ?? "").slice(0, MOST_IN_LINE + 1);
    for (const line of lines) this.#line(line);
  }

  /** The last line may lack its end. */
  end(): void {
    this.#line(`${this.#begun}${this.#decoder.end()}`);
    this.#begun = "";
  }

  /** The end of all that was printed. */
  get tail(): string {
    return String(this.#tail);
  }

  #line(printed: string): void {
    const line = stripVTControlCharacters(printed).trimEnd();
    if (line === "" || this.#count > MOST_LINES) return;
    this.#count++;
    this.#tell(this.#count > MOST_LINES ? "… (the rest is not told)" : boundedText(line, MOST_IN_LINE));
  }
}
