/** Backslashes as `printf` and `echo -e` read them: at most three octal digits, `\0162` is `\016` and `2`. */
export function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const number = hex ?? short ?? long;
      if (number !== undefined) return fromCode(Number.parseInt(number, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
      return LETTERS[letter ?? ""] ?? whole;
    },
  );
}

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
  "\\": "\\",
};

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
