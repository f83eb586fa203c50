import { messageOf } from "@tenterhook/protocol";
import { openFrontmatter } from "./frontmatter-text.ts";
import { type ParsedHookFile, parseHookFile } from "./hook-file.ts";

/** Reads a HOOK.md's frontmatter and checks it. It never throws. */
export function readHookFile(file: string): ParsedHookFile {
  try {
    return parseHookFile(file, openFrontmatter(file).frontmatter);
  } catch (error) {
    return { findings: [{ severity: "error", file, message: `it cannot be read: ${messageOf(error)}` }] };
  }
}
