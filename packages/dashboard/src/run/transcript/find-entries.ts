import type { TranscriptEntry } from "./transcript-entry.ts";
import { toolTitle, valueText } from "./transcript-labels.ts";

/** Formatting within words of Markdown: a reader looks for `bold word`, the agent wrote `**bold** word`. */
const FORMATTING = /[*_`~]/g;

/** The texts of entries in lower case, for `findEntries`: as they are written, and as they are read. */
export function searchTexts(entries: readonly TranscriptEntry[]): readonly string[] {
  return entries.map((entry) => {
    const text = entryText(entry).toLowerCase();
    const read =
      entry.role === "agent" || entry.role === "reasoning" ? text.replaceAll(FORMATTING, "") : text;
    return read === text ? text : `${text}\n${read}`;
  });
}

/** The indexes of the entries that contain a text, which is in lower case. */
export function findEntries(texts: readonly string[], sought: string): readonly number[] {
  if (sought === "") return [];
  return texts.flatMap((text, index) => (text.includes(sought) ? [index] : []));
}

function entryText(entry: TranscriptEntry): string {
  if (entry.role !== "tool") return entry.text;
  const { input, result, reason, acts } = entry;
  return [
    toolTitle(entry),
    readableText(input),
    reason ?? "",
    ...acts,
    result === undefined ? "" : readableText(result),
  ].join("\n");
}

/** As JSON too, because quotes within a text are written differently there. */
function readableText(value: unknown): string {
  if (typeof value === "string") return value;
  const texts: string[] = [];
  collectTexts(value, texts);
  return [valueText(value), ...texts].join("\n");
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) collectTexts(part, texts);
}
