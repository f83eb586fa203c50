import { ALNUM, DASH, DIGIT, DOT, type Scan, type ScannedText, UNDERSCORE } from "./scan.ts";

const WORD = ALNUM | UNDERSCORE;
const DASH_OR_DOT = DASH | DOT;
const ONE = 49;
const PLUS = 43;
const HYPHEN = 45;

/** Phone numbers: with a `+` and a country, or North American ones with their separators. */
export const phone: Scan = (scanned, found) => {
  const { text } = scanned;
  for (const start of scanned.numbers) {
    const before = start === 0 ? 0 : text.charCodeAt(start - 1);
    const isInternational = before === PLUS && !scanned.is(start - 2, WORD);
    // Three digits, or the 1 of a country; most numbers have neither, and are passed quickly.
    if (!isInternational && !scanned.isDigit(start + 2) && text.charCodeAt(start) !== ONE) continue;
    if (scanned.is(start - 1, DASH_OR_DOT)) continue;
    const end = isInternational ? internationalEnd(scanned, start) : northAmericanEnd(scanned, start);
    if (end > start) found(isInternational || text[start - 1] === "(" ? start - 1 : start, end);
  }
};

/** Nine to fifteen digits, as E.164 has them, and at most two separators between any two. */
function internationalEnd(scanned: ScannedText, start: number): number {
  let end = start;
  let count = 0;
  for (let at = start, close = scanned.digits(at, 16); close > at; close = scanned.digits(at, 16)) {
    count += close - at;
    if (count > 15) break;
    if (count >= 9) end = close;
    at = close;
    // ") " and " (" are the longest separators.
    for (let seen = 0; seen < 2 && PHONE_SEPARATORS.includes(scanned.text[at] ?? "x"); seen++) at++;
  }
  return end;
}

const PHONE_SEPARATORS = " .-()/";

function northAmericanEnd(scanned: ScannedText, start: number): number {
  const { text } = scanned;
  const hasCountry = text[start] === "1" && text[start - 1] !== "(" && isSeparator(text[start + 1]);
  const area = hasCountry ? start + 2 + (text[start + 2] === "(" ? 1 : 0) : start;
  if (!isGroup(scanned, area)) return -1;
  const closed = text[area + 3] === ")" ? area + 4 : area + 3;
  const exchange = isSeparator(text[closed]) ? closed + 1 : closed;
  if (exchange === area + 3 || !isGroup(scanned, exchange) || !isSeparator(text[exchange + 3])) return -1;
  const line = exchange + 4;
  return scanned.digits(line, 5) === line + 4 ? line + 4 : -1;
}

/** Three digits; area codes and exchanges do not begin with 0 or 1. */
function isGroup(scanned: ScannedText, at: number): boolean {
  return (scanned.text[at] ?? "0") > "1" && scanned.digits(at, 3) === at + 3;
}

function isSeparator(char: string | undefined): boolean {
  return char === "-" || char === "." || char === " ";
}

/** US social security numbers, written with dashes, in the ranges that are issued. */
export const ssn: Scan = (scanned, found) => {
  const { text } = scanned;
  for (const start of scanned.numbers) {
    if (start + 11 > text.length || text.charCodeAt(start + 3) !== HYPHEN) continue;
    if (text.charCodeAt(start + 6) !== HYPHEN || scanned.is(start - 1, DASH)) continue;
    if (scanned.digits(start, 3) !== start + 3 || scanned.digits(start + 4, 2) !== start + 6) continue;
    if (scanned.digits(start + 7, 5) !== start + 11) continue;
    const area = text.slice(start, start + 3);
    const isIssued = area !== "000" && area !== "666" && area < "900";
    if (isIssued && !text.startsWith("00", start + 4) && !text.startsWith("0000", start + 7))
      found(start, start + 11);
  }
};

/** IPv4 addresses: four numbers up to 255, and not part of a longer dotted number. */
export const ipv4: Scan = (scanned, found) => {
  for (const start of scanned.numbers) {
    if (scanned.is(start - 1, DOT)) continue;
    const end = addressEnd(scanned, start);
    if (end > start) found(start, end);
  }
};

function addressEnd(scanned: ScannedText, start: number): number {
  const { text } = scanned;
  let at = start;
  for (let part = 0; part < 4; part++) {
    const end = scanned.digits(at, 4);
    if (end === at || end > at + 3 || (part < 3 && text[end] !== ".")) return -1;
    if (end === at + 3 && Number(text.slice(at, end)) > 255) return -1;
    at = end + 1;
  }
  const end = at - 1;
  return scanned.is(end, WORD) || (text[end] === "." && scanned.is(end + 1, DIGIT)) ? -1 : end;
}
