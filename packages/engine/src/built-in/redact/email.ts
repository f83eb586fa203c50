import { ALNUM, DASH, DOT, LETTER, type Scan, type ScannedText, UNDERSCORE } from "./scan.ts";

const LOCAL_PART = ALNUM | DOT | UNDERSCORE | DASH;
const DOMAIN = ALNUM | DASH | DOT;

/** E-mail addresses: found by their `@`, then read to both sides as far as the standard lets them reach. */
export const email: Scan = (scanned, found) => {
  const { text } = scanned;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (at - start < 64 && isLocalPart(scanned, start - 1)) start--;
    if (start === at) continue;
    let end = scanned.past(at + 1, DOMAIN, at + 256);
    while (scanned.is(end - 1, DOT | DASH)) end--;
    let dot = end - 1;
    while (dot > at && text[dot] !== ".") dot--;
    const isTopLevel = dot > at + 1 && end - dot > 2 && scanned.past(dot + 1, LETTER, end) === end;
    if (isTopLevel) found(start, end);
  }
};

function isLocalPart(scanned: ScannedText, at: number): boolean {
  return scanned.is(at, LOCAL_PART) || scanned.text[at] === "+" || scanned.text[at] === "%";
}
