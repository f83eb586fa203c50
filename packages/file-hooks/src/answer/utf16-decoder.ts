/** UTF-16 behind other bytes begins at an even offset or at an odd one. */
export const UTF16_READINGS = [
  { offset: 0, isBigEndian: false },
  { offset: 0, isBigEndian: true },
  { offset: 1, isBigEndian: false },
  { offset: 1, isBigEndian: true },
] as const;

/** Decodes UTF-16 that arrives in parts, after the first `offset` bytes. */
export class Utf16Decoder {
  readonly #isBigEndian: boolean;
  #skip: number;
  #half = Buffer.alloc(0);

  constructor(offset: number, isBigEndian: boolean) {
    this.#skip = offset;
    this.#isBigEndian = isBigEndian;
  }

  write(bytes: Buffer): string {
    const text = Buffer.concat([this.#half, bytes.subarray(this.#skip)]);
    this.#skip = Math.max(this.#skip - bytes.length, 0);
    const whole = text.subarray(0, text.length & ~1);
    this.#half = Buffer.from(text.subarray(whole.length));
    return (this.#isBigEndian ? whole.swap16() : whole).toString("utf16le");
  }
}
