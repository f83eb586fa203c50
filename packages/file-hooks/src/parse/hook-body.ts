import { readSync } from "node:fs";
import { withOpenFile } from "@tenterhook/internal/files";
import { extractFrontmatter } from "./frontmatter-text.ts";

/** A longer body is cut: it is for a model or a person to read. */
const LONGEST = 64 * 1024;

/** The text of a HOOK.md below its frontmatter; empty when it cannot be read. */
export function readHookBody(path: string): string {
  try {
    return withOpenFile(path, (file, stats) => {
      if (!stats.isFile()) return "";
      const buffer = Buffer.allocUnsafe(Math.min(stats.size, 2 * LONGEST));
      return readBody(buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0)));
    });
  } catch {
    return "";
  }
}

function readBody(text: string): string {
  const frontmatter = extractFrontmatter(text);
  if (typeof frontmatter === "string") return "";
  const start = text.indexOf(frontmatter.yaml) + frontmatter.yaml.length;
  const line = text.indexOf("\n", start);
  return line < 0
    ? ""
    : text
        .slice(line + 1)
        .trim()
        .slice(0, LONGEST);
}
