import { messageOf } from "@tenterhook/protocol";
import { readFrontmatter } from "./frontmatter-text.ts";
import { type ParsedHookFile, parseHookFile } from "./hook-file.ts";

/** Reads a HOOK.md's frontmatter and checks it. It never throws. */
export function readHookFile(file: string): ParsedHookFile {
  try {
    return parseHookFile(file, readFrontmatter(file));
  } catch (error) {
    return { findings: [{ severity: "error", file, message: `it cannot be read: ${messageOf(error)}` }] };
  }
}
