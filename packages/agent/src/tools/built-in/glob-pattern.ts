import { TenterhookError } from "@tenterhook/protocol";
import { textSearch } from "./text-search.ts";

/** Says whether a path, relative and with forward slashes, has the form that a pattern describes. */
export type PathMatcher = (path: string) => boolean;

/** The longest pattern that is taken. */
export const MAX_GLOB_LENGTH = 1_000;

const TOKENS = /\*\*+\/|\*+|\[[!^]?\]?(?:\\.|[^\]\\])*\]|\\.|./gsu;

/**
 * Compiles a glob pattern: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `[!a-z]`, `{a,b}`, and
 * `\` before a character that is meant itself. It becomes a pattern for the linear-time engine: the usual libraries make
 * regular expressions of it that backtrack, and six stars keep them busy with one long name for half a minute.
 */
export function globPattern(glob: string): PathMatcher {
  if (glob.length > MAX_GLOB_LENGTH) throw refused(glob, `is longer than ${MAX_GLOB_LENGTH} characters`);
  const search = textSearch(`^(?:${regexOf(glob)})$`, "s", `the pattern "${glob}"`);
  // Undecided would mean that the path took too long; then it had better be listed.
  return (path) => search(path) !== "no";
}

function regexOf(glob: string): string {
  let regex = "";
  let open = 0;
  for (const { 0: token, index } of glob.matchAll(TOKENS)) {
    if (token === "{") open++;
    // A brace or comma that belongs to no open brace is only a character.
    regex += open > 0 && token in BRACES ? BRACES[token] : part(token, glob, index);
    if (token === "}" && open > 0) open--;
  }
  if (open > 0) throw refused(glob, "has a { without its }");
  return regex;
}

const BRACES: Readonly<Record<string, string>> = { "{": "(?:", ",": "|", "}": ")" };

function part(token: string, glob: string, index: number): string {
  if (token === "?") return "[^/]";
  if (token.startsWith("*")) return stars(token, glob, index);
  if (token.startsWith("[") && token.length > 1) return classOf(token);
  return literal(token.startsWith("\\") && token.length > 1 ? token.slice(1) : token);
}

/** Two stars mean folders where they stand for a whole part of the path, or of one of several paths in braces. */
function stars(token: string, glob: string, index: number): string {
  const before = glob.charAt(index - 1);
  const after = glob.charAt(index + token.length);
  const isWhole = token.startsWith("**") && (before === "" || "/{,".includes(before));
  if (token.endsWith("/")) return isWhole ? "(?:[^/]+/)*" : "[^/]*/";
  return isWhole && (after === "" || "},".includes(after)) ? ".*" : "[^/]*";
}

/** A set of characters. One of those that are *not* in a set is never a slash. */
function classOf(token: string): string {
  const isNegated = /^\[[!^]/.test(token);
  const members = token
    .slice(isNegated ? 2 : 1, -1)
    .replace(/\\(.)|([^-])/gsu, (_: string, escaped?: string, plain = "") => literal(escaped ?? plain));
  return `[${isNegated ? "^/" : ""}${members}]`;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|&~-]/g, "\\$&");
}

function refused(glob: string, why: string): TenterhookError {
  return new TenterhookError("bad_tool_input", `the pattern "${glob}" ${why}.`);
}
