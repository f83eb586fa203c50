import { ALNUM, BLANK, DASH, DIGIT, DOT, type Scan, type ScannedText, UNDERSCORE } from "./scan.ts";

const NAME = ALNUM | UNDERSCORE | DASH | DOT;
const SHORTEST_NAME = "pwd".length;
const LONGEST_NAME = 64;

// Compared with the last characters of a name only, and without repetition: it costs the same for every text.
const SECRET_NAME =
  /(?:passw(?:or)?d|passphrase|pwd|secret|(?:api|access|secret|private)[_.-]?key|(?:auth|access|refresh)[_.-]?token)$/i;

/** Whether a variable, field or parameter of this name contains a secret: `DB_PASSWORD`, `apiKey`, `NPM_TOKEN`. */
export function isSecretName(name: string): boolean {
  if (name.length > LONGEST_NAME || name === "PWD" || name === "OLDPWD") return false;
  return SECRET_NAME.test(name.slice(-16)) || (name.endsWith("_TOKEN") && name === name.toUpperCase());
}

/** Values that are assigned to a secret's name: `password=…`, `"api_key": "…"`. The name stays readable. */
export const secret: Scan = (scanned, found) => {
  for (const sign of ["=", ":"]) {
    const bare: BareRun = { end: 0, lastDigit: -1 };
    scanned.everywhere(sign, (at) => {
      const name = isAssignment(scanned.text, at) ? nameBefore(scanned, at) : undefined;
      const value = name !== undefined && isSecretName(name) ? valueAfter(scanned, at, bare) : undefined;
      if (value === undefined) return at;
      found(value.start, value.end);
      return value.end;
    });
  }
};

interface Value {
  readonly start: number;
  readonly end: number;
}

/** The last stretch of characters without quotes that was read. Signs inside it need not read it again. */
interface BareRun {
  end: number;
  lastDigit: number;
}

/** `==`, `!=`, `=>` and `::` are not assignments; `:=` is one, at its second character. */
function isAssignment(text: string, at: number): boolean {
  const before = text[at - 1];
  const next = text[at + 1];
  if (text[at] === ":") return before !== ":" && next !== ":" && next !== "=";
  return !(
    next === "=" ||
    next === ">" ||
    next === "~" ||
    before === "=" ||
    before === "!" ||
    before === "<"
  );
}

/** The name before the sign, with or without quotes and a little space. */
function nameBefore(scanned: ScannedText, sign: number): string | undefined {
  const { text } = scanned;
  let end = text[sign - 1] === ":" ? sign - 1 : sign;
  for (let seen = 0; seen < 4 && scanned.is(end - 1, BLANK); seen++) end--;
  if (isQuote(text[end - 1])) end--;
  // Quotes are escaped in JSON inside JSON.
  if (text[end - 1] === "\\") end--;
  let start = end;
  while (end - start <= LONGEST_NAME && scanned.is(start - 1, NAME)) start--;
  return end - start < SHORTEST_NAME ? undefined : text.slice(start, end);
}

function valueAfter(scanned: ScannedText, sign: number, bare: BareRun): Value | undefined {
  const { text } = scanned;
  let start = scanned.past(sign + 1, BLANK, sign + 5);
  const isSpaced = start > sign + 1;
  if (text[start] === "\\" && isQuote(text[start + 1])) start++;
  if (isQuote(text[start])) return quotedValue(text, start);
  return bareValue(scanned, start, isSpaced || text[sign] === ":", bare);
}

function quotedValue(text: string, open: number): Value | undefined {
  const quote = text[open];
  const start = open + 1;
  let end = start;
  while (end < text.length && text[end] !== quote && text[end] !== "\n") end++;
  if (text[end] === quote && text[end - 1] === "\\") end--;
  // A variable or a placeholder: `${KEY}`, `$(pass show key)`, `{{ key }}`, `<your key>`.
  const isReference = /^(\$[{(]|\{\{|<)/.test(text.slice(start, start + 2));
  return end > start && !isReference ? { start, end } : undefined;
}

/** Without quotes it may be code or prose, `password: string`, `password = ask()`: where it looks so, a digit decides. */
function bareValue(
  scanned: ScannedText,
  start: number,
  looksLikeCode: boolean,
  bare: BareRun,
): Value | undefined {
  const { text } = scanned;
  // A variable, a placeholder, or something redacted already.
  if ("$<[{*%".includes(text[start] ?? "$")) return undefined;
  if (start >= bare.end) {
    let isMark = false;
    for (bare.end = start; !VALUE_ENDS.has(text[bare.end]); bare.end++) {
      // The digits of a hash that was put there are not the value's own.
      isMark ||= text[bare.end] === "[";
      if (!isMark && scanned.is(bare.end, DIGIT)) bare.lastDigit = bare.end;
    }
  }
  const { end, lastDigit } = bare;
  if (end - start < 4 || text[end] === "(") return undefined;
  if (looksLikeCode && (lastDigit < start || end - start < 6)) return undefined;
  // `connect(password=password)` hands a variable on.
  return isSecretName(text.slice(start, end)) ? undefined : { start, end };
}

/** What ends a value without quotes; `undefined` is the end of the text. */
const VALUE_ENDS: ReadonlySet<string | undefined> = new Set([..." \t\r\n,;&\"'`<>()}]", undefined]);

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'" || char === "`";
}
