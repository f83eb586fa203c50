import { ALNUM, BLANK, PADDING, type Scan, type ScannedText } from "./scan.ts";

const BODY = ALNUM | PADDING | BLANK;
const BEGIN = "-----BEGIN ";
const DASHES = "-----";
/** A key of 16,384 bits is 13 KB long. */
const LONGEST_KEY = 16_384;

/** PEM and PGP blocks of private keys; one that was cut off counts as far as it still looks like a key. */
export const privateKey: Scan = (scanned, found) => {
  const { text } = scanned;
  let end = -1;
  scanned.everywhere(BEGIN, (start) => {
    const body = afterLabel(text, start + BEGIN.length);
    if (body < 0) return start;
    // Looked for again only once it is behind us, so that a thousand beginnings search the text once.
    if (end < body) end = endOfKey(text, body);
    const stop = end - start <= LONGEST_KEY ? end : cutOffAt(scanned, body);
    found(start, stop);
    return stop;
  });
};

/** Behind `RSA PRIVATE KEY-----`, `PGP PRIVATE KEY BLOCK-----` and the like; -1 when the label is another one. */
function afterLabel(text: string, at: number): number {
  const label = text.slice(at, at + 48);
  const close = label.indexOf(DASHES);
  return close < 0 || !label.slice(0, close).includes("PRIVATE KEY") ? -1 : at + close + DASHES.length;
}

function endOfKey(text: string, from: number): number {
  const at = text.indexOf("-----END ", from);
  if (at < 0) return Number.POSITIVE_INFINITY;
  const end = afterLabel(text, at + "-----END ".length);
  return end < 0 ? at : end;
}

function cutOffAt(scanned: ScannedText, body: number): number {
  let at = body;
  while (at - body < LONGEST_KEY && (scanned.is(at, BODY) || isLineEnd(scanned.text[at]))) at++;
  return at;
}

/** Written as a backslash and a letter where the key is in JSON. */
function isLineEnd(char: string | undefined): boolean {
  return char === "\n" || char === "\r" || char === "\\";
}
