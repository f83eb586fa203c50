import { beginning } from "./file-text.ts";

/** The maximum length of a shown line. */
const MAX_LINE = 500;

/** The matches of a search and notes on what was not searched, as text for the model. */
export class MatchReport {
  readonly #limit: number;
  readonly #lines: string[] = [];
  #hasMore = false;
  #unread = 0;
  #undecided = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The limit is reached. */
  get isFull(): boolean {
    return this.#hasMore;
  }

  found(file: string, number: number, line: string): void {
    if (this.#lines.length === this.#limit) {
      this.#hasMore = true;
      return;
    }
    const start = beginning(line, MAX_LINE);
    this.#lines.push(`${file}:${number}: ${start}${start.length < line.length ? " …" : ""}`);
  }

  /** A file was too large, or could not be read. */
  unread(): void {
    this.#unread++;
  }

  /** Matching a line took too long. */
  undecided(): void {
    this.#undecided++;
  }

  toString(): string {
    const notes: string[] = [];
    if (this.#lines.length === 0) notes.push("[no matches]");
    if (this.#hasMore) notes.push(`[there are more than ${this.#limit} matches; narrow the search]`);
    if (this.#unread > 0) notes.push(`[files too large or not readable, and not searched: ${this.#unread}]`);
    if (this.#undecided > 0) notes.push(`[lines that took the pattern too long: ${this.#undecided}]`);
    return [...this.#lines, ...notes].join("\n");
  }
}
