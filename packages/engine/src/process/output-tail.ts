import { stripVTControlCharacters } from "node:util";
import { OutputEnds } from "./output-ends.ts";

/** Keeps the last bytes of an output, however much of it there is. */
export class OutputTail extends OutputEnds {
  constructor(limit: number) {
    super(0, limit);
  }

  /** As text, without colours, with a note when something came before. */
  override toString(): string {
    const tail = this.isCut ? this.tailFromCharacter : this.tail;
    const text = stripVTControlCharacters(tail.toString("utf8")).trim();
    const omitted = this.total - tail.length;
    return omitted === 0 ? text : `… (${omitted} bytes before this)\n${text}`;
  }
}
