/** A text in lines of at most `width` characters, all but the first indented. A longer word gets a line of its own. */
export function wrapText(text: string, width: number, indent = ""): string {
  if (!Number.isFinite(width)) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
