import type { FoundText } from "@tenterhook/protocol/runs";
import { fieldTexts, type RunText } from "./run-text.ts";
import { matchWords } from "./words.ts";

/** The characters of a passage, and those before the first match. */
const MAX_PASSAGE = 200;
const BEFORE = 40;

/** The passage of a run's texts with the most of the words, for the list of what a search found. Null when no text has one of them. */
export function findPassage(run: RunText, words: readonly string[]): FoundText | null {
  const pattern = matchWords(words);
  let best: { field: FoundText["field"]; text: string; found: ReadonlySet<string> } | undefined;
  for (const [field, value] of fieldTexts(run)) {
    const text = value.normalize("NFKC");
    const found = new Set(text.match(pattern)?.map((match) => match.toLowerCase()));
    if (found.size > (best?.found.size ?? 0)) best = { field, text, found };
    if (found.size >= words.length) break;
  }
  return best === undefined ? null : { field: best.field, parts: cutPassage(best.text, pattern) };
}

/** The matches near the first one, and the text around them, on one line. */
function cutPassage(text: string, pattern: RegExp): FoundText["parts"] {
  const first = text.search(pattern);
  const start = startOfWord(text, Math.max(0, first - BEFORE), first);
  const end = Math.min(text.length, start + MAX_PASSAGE);
  const passage = text.slice(start, end).replace(/[\uD800-\uDBFF]$/, "");
  const parts: FoundText["parts"] = [];
  const add = (part: string, is_match: boolean) => {
    if (part !== "") parts.push({ text: part.replaceAll(/\s+/g, " "), is_match });
  };
  let read = 0;
  for (const match of passage.matchAll(pattern)) {
    add(passage.slice(read, match.index), false);
    add(match[0], true);
    read = match.index + match[0].length;
  }
  add(passage.slice(read), false);
  if (start > 0) parts.unshift({ text: "…", is_match: false });
  if (end < text.length) parts.push({ text: "…", is_match: false });
  return parts;
}

/** The beginning of a word in front of the first match, so that no word and no character is cut. */
function startOfWord(text: string, from: number, first: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, first).search(/\s/);
  return space === -1 ? first : from + space + 1;
}
