import { isAbsolute, join } from "node:path";
import { TenterhookError } from "@tenterhook/protocol";
import { type BuiltInTool, type FileToolOptions, inputSchema, throwIfAborted } from "./built-in-tool.ts";
import { filesBelow, isFolder, textSearch } from "./search.ts";
import { WorkFolder } from "./work-folder.ts";

/** The input of `Glob`. */
export interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
}

/** The maximum number of listed files. */
const MAX_FILES = 1_000;

/** A tool that lists files by pattern, one per line, sorted, relative to the work folder. */
export function globTool(options: FileToolOptions = {}): BuiltInTool<GlobInput, string> {
  return {
    description: `Lists files in the work folder by pattern, such as "src/**/*.{ts,tsx}": at most ${MAX_FILES}, sorted by path. Does not look into node_modules and .git unless the pattern or path begins with them, and does not follow links.`,
    inputSchema: inputSchema(
      {
        pattern: {
          type: "string",
          minLength: 1,
          maxLength: MAX_GLOB_LENGTH,
          description:
            "* ? [a-z] within a name, ** for any number of folders, {a,b}; \\ before a literal one.",
        },
      },
      { path: { type: "string", description: "The folder to look in. Default: the work folder." } },
    ),
    async execute({ pattern, path = "." }, { workDir, abortSignal }) {
      throwIfAborted(abortSignal);
      const { base, rest } = parts(pattern);
      const matches = globPattern(rest);
      const folder = await WorkFolder.open(options.workDir ?? workDir);
      if (!(await isFolder(await folder.resolve(path), path))) {
        throw new TenterhookError("tool_failed", `"${path}" is not a folder.`);
      }
      const start = await folder.resolve(isAbsolute(base) ? base : join(path, base));
      const found: string[] = [];
      // Without `**`, the pattern's slashes give the depth.
      const depth = rest.includes("**") ? Number.POSITIVE_INFINITY : rest.split("/").length - 1;
      const hasFiles = await isFolder(start, path).catch(() => false);
      for await (const file of hasFiles ? filesBelow(start, abortSignal, depth) : []) {
        if (!matches(file)) continue;
        if (found.length === MAX_FILES) {
          found.push(`[there are more than ${MAX_FILES} files; give a narrower pattern]`);
          break;
        }
        found.push(folder.nameOf(join(start, file)));
      }
      return found.length === 0 ? "[no files match]" : found.join("\n");
    },
  };
}

/** Splits a pattern into a plain path and the rest: `src/lib` and `*.ts`. The path is checked like any path. */
function parts(pattern: string): { base: string; rest: string } {
  const names = pattern.split("/");
  const isPlain = (name: string) => !/[*?[\]{}\\]/.test(name);
  const last = names.length - 1;
  const special = names.findIndex((name, index) => index === last || !isPlain(name));
  const base = names.slice(0, special).join("/");
  const ahead = names.slice(special).filter((name) => name !== "" && name !== ".");
  if (ahead.length === 0 || ahead.includes("..")) {
    const why = ahead.length === 0 ? "names a folder, and no files in it" : "has .. after a wildcard";
    throw new TenterhookError("bad_tool_input", `the pattern "${pattern}" ${why}.`);
  }
  return { base: base === "" && special > 0 ? "/" : base, rest: ahead.join("/") };
}

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
