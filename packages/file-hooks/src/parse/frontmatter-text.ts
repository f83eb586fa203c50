import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What is read at first; most frontmatter fits. */
const FIRST_READ = 1024;

/** Frontmatter longer than this is not frontmatter. */
const LONGEST = 64 * 1024;

/** The YAML between the two lines of dashes, and the line it begins on. */
export interface FrontmatterText {
  readonly yaml: string;
  readonly firstLine: number;
}

// Reading is synchronous, so one buffer serves all files.
const shared = Buffer.allocUnsafeSlow(LONGEST);

/** Reads the frontmatter of a HOOK.md and no more of the file than it needs. Throws what the file system throws. */
export function readFrontmatter(path: string): FrontmatterText | string {
  // Not waiting, because a pipe that nobody writes to would be waited for for ever.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) return "it is not a file";
    for (let size = FIRST_READ; ; size = Math.min(size * 8, LONGEST)) {
      const length = readSync(file, shared, 0, size, 0);
      const found = extractFrontmatter(shared.toString("utf8", 0, length));
      if (found !== UNCLOSED || length < size || size === LONGEST) return found;
    }
  } finally {
    closeSync(file);
  }
}

const UNCLOSED = "the frontmatter is not closed by a line with ---";

/** Finds the frontmatter in a text; a string says why there is none. */
export function extractFrontmatter(text: string): FrontmatterText | string {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const opening = /^---[ \t]*\r?\n/.exec(text.slice(start, start + 80));
  if (opening === null) return "it does not begin with a line of ---, so it has no frontmatter";
  const begin = start + opening[0].length;
  // The line before may be the opening itself.
  for (let at = text.indexOf("\n---", begin - 1); at >= 0; at = text.indexOf("\n---", at + 1)) {
    if (/^---[ \t]*(?:\r?\n|$)/.test(text.slice(at + 1, at + 80)))
      return { yaml: text.slice(begin, at + 1), firstLine: 2 };
  }
  return UNCLOSED;
}
