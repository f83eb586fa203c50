import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { TenterhookError } from "@tenterhook/protocol";
import { type BuiltInTool, type FileToolOptions, inputSchema } from "./built-in-tool.ts";
import { pathFailure, throwIfAborted } from "./failure.ts";
import { filesBelow } from "./files-below.ts";
import { globPattern, MAX_GLOB_LENGTH } from "./glob-pattern.ts";
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
      await requireFolder(await folder.resolve(path), path);
      const start = await folder.resolve(isAbsolute(base) ? base : join(path, base));
      const found: string[] = [];
      // Without `**`, the pattern's slashes give the depth.
      const depth = rest.includes("**") ? Number.POSITIVE_INFINITY : rest.split("/").length - 1;
      const isFolder = await stat(start).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      for await (const file of isFolder ? filesBelow(start, { depth, signal: abortSignal }) : []) {
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

async function requireFolder(real: string, path: string): Promise<void> {
  try {
    if ((await stat(real)).isDirectory()) return;
  } catch (error) {
    throw pathFailure(error, path);
  }
  throw new TenterhookError("tool_failed", `"${path}" is not a folder.`);
}
