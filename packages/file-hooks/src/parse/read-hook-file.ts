import { messageOf } from "@tenterhook/internal";
import { openFrontmatter, unparsable, weightOf } from "./frontmatter-text.ts";
import { type ParsedHookFile, parseHookFile } from "./hook-file.ts";

/** What may still be parsed of untrusted files; the weight of each parsed file is subtracted. */
export interface ParseAllowance {
  left: number;
}

/** Reads a HOOK.md's frontmatter and checks it. It never throws. */
export function readHookFile(file: string): ParsedHookFile {
  try {
    return openHookFile(file) ?? { findings: [] };
  } catch (error) {
    return { findings: [{ severity: "error", file, message: `it cannot be read: ${messageOf(error)}` }] };
  }
}

/** The same, but throws what the file system throws. With an allowance: `undefined` when the file would take more than is left. */
export function openHookFile(file: string, allowance?: ParseAllowance): ParsedHookFile | undefined {
  const { frontmatter } = openFrontmatter(file);
  if (allowance !== undefined && typeof frontmatter !== "string" && !isWithin(frontmatter.yaml, allowance))
    return undefined;
  return parseHookFile(file, frontmatter, allowance !== undefined);
}

function isWithin(yaml: string, allowance: ParseAllowance): boolean {
  // A text that the parser is not given costs almost nothing.
  const weight = unparsable(yaml) === undefined ? weightOf(yaml) : UNPARSED_WEIGHT;
  const fits = weight <= allowance.left;
  allowance.left -= fits ? weight : UNPARSED_WEIGHT;
  return fits;
}

/** What it costs to read a file that is then not parsed. */
const UNPARSED_WEIGHT = 5;
