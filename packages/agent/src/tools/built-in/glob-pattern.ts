import { TenterhookError } from "@tenterhook/protocol";
import { textSearch } from "./text-search.ts";

/** Whether a relative path with forward slashes matches a pattern. */
export type PathMatcher = (path: string) => boolean;

/** The maximum length of a pattern. */
export const MAX_GLOB_LENGTH = 1_000;

const TOKENS = /\*\*+\/|\*+|\[[!^]?\]?(?:\\.|[^\]\\])*\]|\\.|./gsu;

/**
 * Compiles a glob pattern: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `[!a-z]`, `{a,b}`, and `\` before a
 * literal character. It runs on the linear-time engine: the usual libraries use backtracking regular expressions, for which six stars
 * and one long name take half a minute.
 */
export function globPattern(glob: string): PathMatcher {
  if (glob.length > MAX_GLOB_LENGTH) throw refused(glob, `is longer than ${MAX_GLOB_LENGTH} characters`);
  const search = textSearch(`^(?:${toRegex(glob)})$`, "s", `the pattern "${glob}"`);
  // A path that took too long to match is listed.
  return (path) => search(path) !== "no";
}

function toRegex(glob: string): string {
  let regex = "";
  let open = 0;
  for (const { 0: token, index } of glob.matchAll(TOKENS)) {
    if (token === "{") open++;
    // A closing brace or comma outside of braces is a literal character.
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
  if (token.startsWith("[") && token.length > 1) return toClass(token);
  return literal(token.startsWith("\\") && token.length > 1 ? token.slice(1) : token);
}

/** Two stars match folders if they are a whole part of the path, or of an alternative in braces. */
function stars(token: string, glob: string, index: number): string {
  const before = glob.charAt(index - 1);
  const after = glob.charAt(index + token.length);
  const isWhole = token.startsWith("**") && (before === "" || "/{,".includes(before));
  if (token.endsWith("/")) return isWhole ? "(?:[^/]+/)*" : "[^/]*/";
  return isWhole && (after === "" || "},".includes(after)) ? ".*" : "[^/]*";
}

/** A character class. A negated class never matches a slash. */
function toClass(token: string): string {
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
