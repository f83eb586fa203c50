import { join } from "node:path";
import { type BuiltInTool, type FileToolOptions, inputSchema, throwIfAborted } from "./built-in-tool.ts";
import { beginning, isBinary, readableText, readRegularFile, readTextFile } from "./file-access.ts";
import { globPattern, MAX_GLOB_LENGTH, type PathMatcher } from "./glob.ts";
import { CooperativeTimer, filesBelow, isFolder, textSearch } from "./search.ts";
import { WorkFolder } from "./work-folder.ts";

/** The input of `Grep`. */
export interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly ignore_case?: boolean;
  readonly limit?: number;
}

const LIMIT = 100;
const MAX_LIMIT = 1_000;
/** The maximum length of a shown line. */
const MAX_LINE = 500;

/** A tool that searches files for lines that match a regular expression: `file:line: text`, sorted by path. */
export function grepTool(options: FileToolOptions = {}): BuiltInTool<GrepInput, string> {
  return {
    description:
      "Searches text files in the work folder, line by line, for a regular expression (RE2: no look-around, no back-references). Gives file:line: text. Does not look into node_modules and .git unless path begins with them, and does not follow links.",
    inputSchema: inputSchema(
      { pattern: { type: "string", minLength: 1, description: "The regular expression." } },
      {
        path: { type: "string", description: "The file or folder to search. Default: the work folder." },
        glob: {
          type: "string",
          minLength: 1,
          maxLength: MAX_GLOB_LENGTH,
          description: 'Which files, such as "*.ts" in any folder, or "src/**/*.ts".',
        },
        ignore_case: { type: "boolean", description: "Default false." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LIMIT,
          description: `The most matching lines to give. Default ${LIMIT}, at most ${MAX_LIMIT}.`,
        },
      },
    ),
    async execute(
      { pattern, path = ".", glob, ignore_case = false, limit = LIMIT },
      { workDir, abortSignal },
    ) {
      throwIfAborted(abortSignal);
      const matches = textSearch(pattern, ignore_case ? "i" : "", `the pattern /${pattern}/`);
      const isWanted = glob === undefined ? () => true : fileMatcher(glob);
      const folder = await WorkFolder.open(options.workDir ?? workDir);
      const maxLines = Math.min(limit, MAX_LIMIT);
      const timer = new CooperativeTimer();
      const lines: string[] = [];
      const notes: string[] = [];
      let unread = 0;
      let undecided = 0;
      search: for await (const { name, text } of readTexts(folder, path, isWanted, abortSignal)) {
        if (text === undefined) unread++;
        let number = 0;
        for (const line of eachLine(text ?? "")) {
          number++;
          const match = matches(line);
          if (match === "unknown") undecided++;
          if (match === "yes" && lines.length === maxLines) {
            notes.push(`[there are more than ${maxLines} matches; narrow the search]`);
            break search;
          }
          if (match === "yes") lines.push(`${name}:${number}: ${clipped(line)}`);
          if (timer.isDue) await timer.yieldToEventLoop(abortSignal);
        }
      }
      if (lines.length === 0) notes.push("[no matches]");
      if (unread > 0) notes.push(`[files too large or not readable, and not searched: ${unread}]`);
      if (undecided > 0) notes.push(`[lines that took the pattern too long: ${undecided}]`);
      return [...lines, ...notes].join("\n");
    },
  };
}

/** A pattern without a slash matches file names in any folder. */
function fileMatcher(glob: string): PathMatcher {
  return globPattern(glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
}

/** The text files at a path: the file itself, or those below the folder. Without `text` it is too large, or cannot be read. */
async function* readTexts(
  folder: WorkFolder,
  path: string,
  isWanted: PathMatcher,
  signal: AbortSignal,
): AsyncGenerator<{ readonly name: string; readonly text?: string }> {
  const start = await folder.resolve(path);
  if (!(await isFolder(start, path))) {
    yield { name: folder.nameOf(start), text: readableText(await readTextFile(folder, start, path)) };
    return;
  }
  for await (const file of filesBelow(start, signal)) {
    if (!isWanted(file)) continue;
    const real = join(start, file);
    const bytes = await readRegularFile(folder, real, file).catch(() => undefined);
    throwIfAborted(signal);
    const name = folder.nameOf(real);
    if (bytes === undefined) yield { name };
    else if (!isBinary(bytes)) yield { name, text: readableText(bytes) };
  }
}

function* eachLine(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end).replace(/\r$/, "");
    start = end + 1;
  }
}

function clipped(line: string): string {
  const start = beginning(line, MAX_LINE);
  return start.length < line.length ? `${start} …` : start;
}
