import { ALNUM, DASH, type ScannedText, UNDERSCORE } from "./scan.ts";

const NAME = ALNUM | UNDERSCORE | DASH;

/** Where a text was redacted already: `[redacted:email]`, `[email:3f2a9c01b7d4]`. Nothing else can hide in one. */
export function markersIn(
  scanned: ScannedText,
  kinds: ReadonlySet<string>,
): readonly { readonly start: number; readonly end: number }[] {
  const markers: { start: number; end: number }[] = [];
  const { text } = scanned;
  scanned.everywhere("[", (start) => {
    const colon = scanned.past(start + 1, NAME);
    if (text[colon] !== ":") return colon;
    const close = scanned.past(colon + 1, NAME);
    if (text[close] !== "]") return close;
    const left = text.slice(start + 1, colon);
    const right = text.slice(colon + 1, close);
    const isHash = kinds.has(left) && /^[0-9a-f]{12}$/.test(right);
    if (isHash || (left === "redacted" && kinds.has(right))) markers.push({ start, end: close + 1 });
    return close;
  });
  return markers;
}
