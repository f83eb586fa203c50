import type { ToolEntry, TranscriptEntry } from "./transcript-entry.ts";
import { ROLE_LABELS, toolTitle, valueText } from "./transcript-labels.ts";

/** A transcript as Markdown, for a ticket or a message. */
export function transcriptMarkdown(title: string, entries: readonly TranscriptEntry[]): string {
  return `${[`# ${title}`, ...entries.map(entryMarkdown)].join("\n\n")}\n`;
}

function entryMarkdown(entry: TranscriptEntry): string {
  const of = entry.subagent === undefined ? "" : ` (${entry.subagent})`;
  if (entry.role === "tool") return `## ${toolTitle(entry)}${of}\n\n${toolMarkdown(entry)}`;
  const heading = `## ${ROLE_LABELS[entry.role]}${of}${entry.isDiscarded ? ", discarded" : ""}`;
  const text = entry.text.trimEnd();
  if (entry.role === "refusal") return `${heading}\n\n${quoted(text)}`;
  return `${heading}\n\n${entry.role === "program" || entry.role === "hooks" ? fenced(text) : text}`;
}

function toolMarkdown({ input, result, reason, acts }: ToolEntry): string {
  return [
    fenced(valueText(input), "json"),
    ...acts.map((act) => `- ${act}`),
    ...(reason === undefined ? [] : [quoted(reason)]),
    ...(result === undefined ? [] : ["Result:", fenced(valueText(result))]),
  ].join("\n\n");
}

const quoted = (text: string) => text.replaceAll(/^/gm, "> ");

/** With a fence that is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
