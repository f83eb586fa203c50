import { type OutputKeeper, OutputTail } from "@tenterhook/engine/process";
import { stripEscapes } from "./strip-escapes.ts";

/** The most characters of one line. */
const MAX_IN_LINE = 2_000;

/** What is read of a line: a character has up to four bytes, and colours may take as many as the text. */
const MAX_LINE_BYTES = 8 * MAX_IN_LINE;

/** No person reads more lines than this. Empty ones count, because they take time as well. */
const MAX_LINES = 10_000;

/** A program may print so many lines at once, and so many a second after that: every line is an event that is stored. */
const BURST_LINES = 5_000;
const LINES_PER_SECOND = 500;

/** How much of the end is kept, for the error of a process that failed. */
const KEPT_BYTES = 4_000;

const NEWLINE = 10;

/**
 * Reports what a process prints for people line by line, and keeps the end of it. The limits are applied to the bytes before
 * anything else is done with them: what a process prints without end must not take the time of other runs. What is left out is
 * counted and reported.
 */
export class LogLines implements OutputKeeper {
  readonly #report: (line: string) => void;
  readonly #tail = new OutputTail(KEPT_BYTES);
  #line: Buffer[] = [];
  #lineBytes = 0;
  #cutBytes = 0;
  #lines = 0;
  #allowance = BURST_LINES;
  #allowedAt = performance.now();
  #omittedBytes = 0;
  /** What follows is the rest of a line whose beginning was left out. */
  #isInOmitted = false;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  add(chunk: Buffer): void {
    this.#tail.add(chunk);
    this.#renewAllowance();
    let start = this.#isInOmitted && this.#mayReport ? this.#skipLine(chunk) : 0;
    while (start < chunk.length && this.#mayReport) {
      const newline = chunk.indexOf(NEWLINE, start);
      this.#extend(chunk.subarray(start, newline < 0 ? chunk.length : newline));
      if (newline < 0) return;
      this.#endLine();
      start = newline + 1;
    }
    if (start < chunk.length) this.#omit(chunk, start);
  }

  /** The last line may lack its end. */
  end(): void {
    this.#endLine();
    this.#reportOmitted();
  }

  /** The end of all that was printed. */
  get tail(): string {
    return String(this.#tail);
  }

  #extend(bytes: Buffer): void {
    const read = bytes.subarray(0, MAX_LINE_BYTES - this.#lineBytes);
    if (read.length > 0) this.#line.push(read);
    this.#lineBytes += read.length;
    this.#cutBytes += bytes.length - read.length;
  }

  #endLine(): void {
    const text = stripEscapes(Buffer.concat(this.#line, this.#lineBytes).toString()).trimEnd();
    const cutBytes = this.#cutBytes;
    this.#line = [];
    this.#lineBytes = 0;
    this.#cutBytes = 0;
    this.#lines++;
    this.#allowance--;
    if (text === "") return;
    this.#reportOmitted();
    this.#report(boundedLine(text, cutBytes));
  }

  get #mayReport(): boolean {
    return this.#lines < MAX_LINES && this.#allowance >= 1;
  }

  #renewAllowance(): void {
    const now = performance.now();
    const renewed = this.#allowance + ((now - this.#allowedAt) * LINES_PER_SECOND) / 1_000;
    this.#allowance = Math.min(renewed, BURST_LINES);
    this.#allowedAt = now;
  }

  #omit(chunk: Buffer, start: number): void {
    this.#omittedBytes += chunk.length - start;
    this.#isInOmitted = chunk[chunk.length - 1] !== NEWLINE;
  }

  /** Where the line ends whose beginning was left out. */
  #skipLine(chunk: Buffer): number {
    const newline = chunk.indexOf(NEWLINE);
    const end = newline < 0 ? chunk.length : newline + 1;
    this.#omittedBytes += end;
    this.#isInOmitted = newline < 0;
    return end;
  }

  #reportOmitted(): void {
    if (this.#omittedBytes > 0) this.#report(`… (${this.#omittedBytes} bytes were left out here)`);
    this.#omittedBytes = 0;
  }
}

/** The beginning of a line of which some bytes have been cut off already. */
function boundedLine(text: string, cutBytes: number): string {
  if (cutBytes === 0 && text.length <= MAX_IN_LINE) return text;
  const start = text.slice(0, MAX_IN_LINE);
  return `${start}… (${Buffer.byteLength(text) - Buffer.byteLength(start) + cutBytes} more bytes)`;
}
