import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { OutputEnds } from "@tenterhook/engine/process";

/** Keeps the start and the end of an output, half each: the start shows what a command did, the end how it went. */
export class ClippedOutput extends OutputEnds {
  /** `limit` is in bytes. */
  constructor(limit: number) {
    super(Math.ceil(limit / 2), Math.floor(limit / 2));
  }

  /** As text, without colours, with a note where bytes were dropped. */
  override toString(): string {
    const { head } = this;
    if (!this.isCut) return stripVTControlCharacters(Buffer.concat([head, this.tail]).toString("utf8"));
    const tail = this.tailFromCharacter;
    const omitted = this.total - head.length - tail.length;
    // The cut may have gone through a character: the decoder withholds its first bytes.
    const beginning = stripVTControlCharacters(new StringDecoder("utf8").write(head));
    const end = stripVTControlCharacters(tail.toString("utf8"));
    return `${beginning}\n… (${omitted} bytes left out here) …\n${end}`;
  }
}
