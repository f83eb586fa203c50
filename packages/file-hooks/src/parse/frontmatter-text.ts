import { closeSync, openSync, readSync } from "node:fs";

/** What is read at first; most frontmatter fits. */
const FIRST_READ = 4 * 1024;

/** Frontmatter longer than this is not frontmatter. */
const LONGEST = 64 * 1024;

/** The YAML between the two lines of dashes, and the line it begins on. */
export interface FrontmatterText {
  readonly yaml: string;
  readonly firstLine: number;
}

/** Reads the frontmatter of a HOOK.md and no more of the file than it needs. Throws what the file system throws. */
export function readFrontmatter(path: string): FrontmatterText | string {
  const file = openSync(path, "r");
  try {
    let size = FIRST_READ;
    for (;;) {
      const buffer = Buffer.allocUnsafe(size);
      const length = readSync(file, buffer, 0, size, 0);
      const found = extractFrontmatter(buffer.toString("utf8", 0, length));
      const mayGoOn = found === UNCLOSED && length === size && size < LONGEST;
      if (!mayGoOn) return found;
      size = Math.min(size * 4, LONGEST);
    }
  } finally {
    closeSync(file);
  }
}

const UNCLOSED = "the frontmatter is not closed by a line with ---";

/** Finds the frontmatter in a text; a string says why there is none. */
export function extractFrontmatter(text: string): FrontmatterText | string {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return "it does not begin with a line of ---, so it has no frontmatter";
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null) return UNCLOSED;
  return { yaml: rest.slice(0, closing.index), firstLine: 2 };
}
