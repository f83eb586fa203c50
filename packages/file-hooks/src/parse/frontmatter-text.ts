import { readSync } from "node:fs";
import { withOpenFile } from "@tenterhook/internal/files";
import { normalName } from "@tenterhook/protocol/internal";

/** A hook's frontmatter is a page at most; a larger one is not read before every event. */
const LONGEST_FRONTMATTER = 16 * 1024;

/** How much the parser may be given of one file, in marks (see `weightOf`). A large hook has a few hundred. */
const MAX_MARKS = 1_000;

/** How deep lists and objects may be nested, as written and as read. */
const DEEPEST = 32;

/** How many values frontmatter may have once its aliases are followed. */
const MAX_VALUES = 4_000;

/** Many list or key marks in one line: nesting without brackets and without indentation. */
const STEEP = new RegExp(`(?:[-?:][ \\t]+){${DEEPEST}}`);

/**
 * What parsing a YAML text costs at most: the number of its characters that can begin or end something. The parser takes
 * up to 40 µs for each, and next to nothing for the others.
 */
export function weightOf(yaml: string): number {
  let weight = 1;
  for (let at = 0; at < yaml.length; at++) if (MARKS.has(yaml.charCodeAt(at))) weight++;
  return weight;
}

/** Why a YAML text must not be given to the parser, which takes seconds over some and overflows its stack on others. */
export function unparsable(yaml: string): string | undefined {
  if (weightOf(yaml) > MAX_MARKS)
    return `it has more than ${MAX_MARKS} marks such as commas, colons and brackets; shorten it`;
  if (bracketDepth(yaml) > DEEPEST || STEEP.test(yaml))
    return `it is nested more than ${DEEPEST} levels deep; flatten it`;
  return undefined;
}

/** Why a value that was read must not be used: an alias can refer to itself, or stand for a thousand copies. */
export function unusable(value: unknown): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (++values > MAX_VALUES) return `it stands for more than ${MAX_VALUES} values; use fewer aliases`;
    if (next.depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep, or contains itself`;
    if (typeof next.value !== "object" || next.value === null) continue;
    const depth = next.depth + 1;
    for (const inner of Object.values(next.value)) left.push({ value: inner, depth });
  }
  return undefined;
}

/** By every bracket, also quoted ones: a text has to be odd to be refused wrongly. */
function bracketDepth(yaml: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of yaml) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if ((character === "]" || character === "}") && depth > 0) depth--;
  }
  return deepest;
}

const MARKS = new Set([...`[]{},-?:&*!%\\#'"|>\n\r\t`].map((mark) => mark.charCodeAt(0)));

/** The YAML between the two lines of dashes; it begins on the second line of the file. */
export interface FrontmatterText {
  readonly yaml: string;
}

// Reading is synchronous, so one buffer serves all files.
const shared = Buffer.allocUnsafeSlow(LONGEST_FRONTMATTER);

/** A HOOK.md's frontmatter, and the signature of its file. */
interface OpenedFrontmatter {
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

/** What is known of a hook at start-up: enough to know which events concern it, and its name. */
interface QuickHead {
  readonly name: string;
  readonly trigger: string;
}

/** A plain word, bare or in quotes, with nothing behind it but a comment. Everything else is left to the parser. */
const WORD = /^(?:"([A-Za-z0-9_:-]+)"|'([A-Za-z0-9_:-]+)'|([A-Za-z0-9_:-]+))[ \t]*(?:#.*)?\r?$/;

/** A word in another script. It is tried second, because it takes several times as long. */
const ANY_WORD =
  /^(?:"([\p{L}\p{M}\p{N}_-]+)"|'([\p{L}\p{M}\p{N}_-]+)'|([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*))[ \t]*(?:#.*)?\r?$/u;

/**
 * Reads name and trigger off frontmatter without parsing it: a thousand hooks are looked through at start-up, and all
 * but a few are for events that never come. Gives up on anything unusual, and the parser reads the file then.
 */
export function quickHead(yaml: string): QuickHead | undefined {
  const name = field(yaml, "name", WORD) ?? nameInAnyScript(yaml);
  const trigger = field(yaml, "trigger", WORD);
  return name === undefined || trigger === undefined ? undefined : { name, trigger };
}

function nameInAnyScript(yaml: string): string | undefined {
  const name = field(yaml, "name", ANY_WORD);
  return name === undefined ? undefined : normalName(name);
}

function field(yaml: string, key: string, pattern: RegExp): string | undefined {
  const start = lineStart(yaml, `${key}:`, 0);
  if (start < 0 || lineStart(yaml, `${key}:`, start + 1) >= 0) return undefined;
  const end = yaml.indexOf("\n", start);
  const value = yaml.slice(start + key.length + 1, end < 0 ? undefined : end).trimStart();
  const word = pattern.exec(value);
  return word?.[1] ?? word?.[2] ?? word?.[3];
}

/** Where a line begins with these words. */
function lineStart(text: string, words: string, from: number): number {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    if (at === 0 || text[at - 1] === "\n") return at;
  }
  return -1;
}
