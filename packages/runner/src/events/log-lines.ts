import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { type OutputKeeper, OutputTail } from "@tenterhook/engine/process";
import { boundedText } from "./bounded.ts";

/** The most characters of one line. */
const MAX_IN_LINE = 2_000;

/** No person reads more lines than this. */
const MAX_LINES = 10_000;

/** How much of the end is kept, for the error of a process that failed. */
const KEPT_BYTES = 4_000;

/** Reports what a process prints for people line by line, and keeps the end of it. */
export class LogLines implements OutputKeeper {
  readonly #report: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  readonly #tail = new OutputTail(KEPT_BYTES);
  #begun = "";
  #count = 0;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  add(chunk: Buffer): void {
    this.#tail.add(chunk);
    const lines = `${this.#begun}${this.#decoder.write(chunk)}`.split(/\r?\n/);
    // A progress bar never ends its line; only its beginning is reported.
    this.#begun = (lines.pop() ?? "").slice(0, MAX_IN_LINE + 1);
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
    if (line === "" || this.#count > MAX_LINES) return;
    this.#count++;
    this.#report(this.#count > MAX_LINES ? "… (further lines are left out)" : boundedText(line, MAX_IN_LINE));
  }
}
