/** A part of a TOML text: a header and what follows it, up to the next header. Before the first header there is one without. */
export interface TomlSection {
  /** As it is written, such as `[[hooks]]`; empty for what stands before the first. */
  readonly header: string;
  readonly start: number;
  /** The end of its last line that is neither empty nor a comment. */
  readonly end: number;
}

/** The sections of a text, which is valid TOML. Brackets in strings, comments and lists are no headers. */
export function tomlSections(text: string): readonly TomlSection[] {
  const starts: { header: string; start: number }[] = [{ header: "", start: 0 }];
  let at = 0;
  let depth = 0;
  let isLineStart = true;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === "\n") isLineStart = true;
    else if (character === "#") at = endOfLine(text, at) - 1;
    else if (character === '"' || character === "'") {
      at = endOfString(text, at) - 1;
      isLineStart = false;
    } else if (character === "[" && isLineStart && depth === 0) {
      const end = endOfHeader(text, at);
      starts.push({ header: text.slice(at, end), start: at });
      at = end - 1;
      isLineStart = false;
    } else if (!/\s/.test(character)) {
      if (character === "[" || character === "{") depth++;
      if (character === "]" || character === "}") depth--;
      isLineStart = false;
    }
    at++;
  }
  return starts.map(({ header, start }, index) => {
    const next = starts[index + 1]?.start ?? text.length;
    return { header, start, end: start + contentLength(text.slice(start, next)) };
  });
}

/** The text without some of its sections, and without the comment and the empty line that were written before each. */
export function withoutSections(text: string, sections: readonly TomlSection[], comment: string): string {
  let now = text;
  for (const { start, end } of [...sections].sort((one, other) => other.start - one.start)) {
    const before = now.slice(0, start);
    const lead = new RegExp(`(?:\\r?\\n)?(?:${escaped(comment)}\\r?\\n)?$`).exec(before)?.[0] ?? "";
    const kept = before.slice(0, before.length - lead.length);
    const after = now.slice(end).replace(/^[ \t]*(?:#[^\n]*)?\r?\n/, "");
    now = kept + (kept === "" || kept.endsWith("\n") ? "" : "\n") + after;
  }
  return now;
}

function contentLength(text: string): number {
  const lines = text.split("\n");
  let length = text.length;
  for (const line of lines.reverse()) {
    if (/^\s*[^#\s]/.test(line)) return length - (/\s*$/.exec(line)?.[0].length ?? 0);
    length -= line.length + 1;
  }
  return Math.max(0, length);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function endOfString(text: string, from: number): number {
  const quote = text[from] ?? "";
  const triple = quote.repeat(3);
  const isLong = text.startsWith(triple, from);
  const close = isLong ? triple : quote;
  for (let at = from + close.length; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text.startsWith(close, at)) {
      let end = at + close.length;
      // Up to two more quotes may belong to the text of a long string.
      while (isLong && text[end] === quote) end++;
      return end;
    } else if (!isLong && text[at] === "\n") return at;
  }
  return text.length;
}

function endOfHeader(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"' || character === "'") at = endOfString(text, at) - 1;
    else if (character === "]") return text[at + 1] === "]" ? at + 2 : at + 1;
    else if (character === "\n") return at;
  }
  return text.length;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
