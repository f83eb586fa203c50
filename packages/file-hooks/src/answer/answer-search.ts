import { StringDecoder } from "node:string_decoder";
import type { Findings } from "./findings.ts";
import { TextSearch } from "./text-search.ts";
import { UTF16_READINGS, Utf16Decoder } from "./utf16-decoder.ts";

interface Reading {
  readonly decoder: Pick<StringDecoder, "write">;
  readonly search: TextSearch;
}

/** Searches an output for answers while it arrives, however long it is, in every encoding that it may be in. */
export class AnswerSearch {
  readonly #readings: Reading[] = [{ decoder: new StringDecoder("utf8"), search: new TextSearch() }];

  add(bytes: Buffer): void {
    // In UTF-16 an answer has a zero in every other byte, because its keys are ASCII.
    if (this.#readings.length === 1 && bytes.includes(0)) {
      for (const { offset, isBigEndian } of UTF16_READINGS)
        this.#readings.push({ decoder: new Utf16Decoder(offset, isBigEndian), search: new TextSearch() });
    }
    for (const { decoder, search } of this.#readings) search.add(decoder.write(bytes));
  }

  /** What each reading of it decides. */
  end(): readonly Findings[] {
    return this.#readings.map(({ search }) => search.end());
  }
}
