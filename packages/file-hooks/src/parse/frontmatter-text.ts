import { readSync } from "node:fs";
import { withOpenFile } from "@tenterhook/internal/files";
import { LONGEST_FRONTMATTER } from "./bounds.ts";

/** The YAML between the two lines of dashes; it begins on the second line of the file. */
export interface FrontmatterText {
  readonly yaml: string;
}

// Reading is synchronous, so one buffer serves all files.
const shared = Buffer.allocUnsafeSlow(LONGEST_FRONTMATTER);

/** A HOOK.md's frontmatter, and the signature of its file. */
export interface OpenedFrontmatter {
  readonly ino: number;
  readonly ctimeMs: number;
  /** A string says why there is none. */
  readonly frontmatter: FrontmatterText | string;
}

/** Reads the frontmatter of a HOOK.md and no more of the file than it needs. Throws what the file system throws. */
export function openFrontmatter(path: string): OpenedFrontmatter {
  return withOpenFile(path, (file, stats) => ({
    ino: stats.ino,
    ctimeMs: stats.ctimeMs,
    frontmatter: stats.isFile() ? readFrom(file) : "it is not a file",
  }));
}

function readFrom(file: number): FrontmatterText | string {
  const length = readSync(file, shared, 0, LONGEST_FRONTMATTER, 0);
  const found = extractFrontmatter(shared.toString("utf8", 0, length), length < LONGEST_FRONTMATTER);
  if (typeof found === "string" || !found.yaml.includes("\uFFFD")) return found;
  // A byte that is not UTF-8 became a replacement character; what it stood for cannot be known.
  return "its frontmatter is not UTF-8; save it as UTF-8";
}

/** Finds the frontmatter in a text, which may be only the beginning of one; a string says why there is none. */
export function extractFrontmatter(text: string, isWhole = true): FrontmatterText | string {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const begin = endOfDashes(text, start);
  if (begin < 0) return "it does not begin with a line of ---, so it has no frontmatter";
  // The line before may be the opening itself.
  for (let at = text.indexOf("\n---", begin - 1); at >= 0; at = text.indexOf("\n---", at + 1)) {
    const end = endOfDashes(text, at + 1);
    // Three dashes at the very end of a beginning may be the first of four.
    if (end >= 0 && (isWhole || end < text.length || text.endsWith("\n")))
      return { yaml: text.slice(begin, at + 1) };
  }
  const where = isWhole ? "" : ` within ${LONGEST_FRONTMATTER / 1024} KiB`;
  return `the frontmatter is not closed by a line with ---${where}`;
}

/** Where the line after a line of three dashes begins; negative for any other line. */
function endOfDashes(text: string, start: number): number {
  if (!text.startsWith("---", start)) return -1;
  let at = start + 3;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
  if (at >= text.length) return at;
  return text[at] === "\n" ? at + 1 : -1;
}
