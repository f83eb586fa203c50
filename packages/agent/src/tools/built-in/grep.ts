import { join } from "node:path";
import { type BuiltInTool, type FileToolOptions, inputSchema, throwIfAborted } from "./built-in-tool.ts";
import { beginning, binaryFileError, isBinary, readableText, readRegularFile } from "./file-access.ts";
import { globPattern, MAX_GLOB_LENGTH, type PathMatcher } from "./glob.ts";
import { CooperativeTimer, filesBelow, isFolder, type TextSearch, textSearch } from "./search.ts";
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
      const start = await folder.resolve(path);
      const search: Search = {
        folder,
        matches,
        signal: abortSignal,
        limit: Math.min(limit, MAX_LIMIT),
        timer: new CooperativeTimer(),
        lines: [],
        isFull: false,
        unread: 0,
        undecided: 0,
      };
      if (await isFolder(start, path)) await searchBelow(search, start, isWanted);
      else await searchFile(search, start, path);
      return report(search);
    },
  };
}

/** A pattern without a slash matches file names in any folder. */
function fileMatcher(glob: string): PathMatcher {
  return globPattern(glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
}

/** A search, and what it has found so far. */
interface Search {
  readonly folder: WorkFolder;
  readonly matches: TextSearch;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly timer: CooperativeTimer;
  readonly lines: string[];
  /** There are more matches than the limit. */
  isFull: boolean;
  /** Files that were too large, or could not be read. */
  unread: number;
  /** Lines that took too long to match. */
  undecided: number;
}

async function searchBelow(search: Search, start: string, isWanted: PathMatcher): Promise<void> {
  const { folder, signal } = search;
  for await (const file of filesBelow(start, { signal })) {
    if (!isWanted(file)) continue;
    const real = join(start, file);
    const bytes = await readRegularFile(folder, real, file).catch(() => undefined);
    throwIfAborted(signal);
    if (bytes === undefined) search.unread++;
    else if (!isBinary(bytes)) await searchLines(search, readableText(bytes), folder.nameOf(real));
    if (search.isFull) return;
  }
}

async function searchFile(search: Search, real: string, path: string): Promise<void> {
  const bytes = await readRegularFile(search.folder, real, path);
  if (isBinary(bytes)) throw binaryFileError(path);
  await searchLines(search, readableText(bytes), search.folder.nameOf(real));
}

async function searchLines(search: Search, text: string, name: string): Promise<void> {
  const { matches, lines, limit, timer, signal } = search;
  let number = 1;
  for (let start = 0; start < text.length && !search.isFull; number++) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end).replace(/\r$/, "");
    const match = matches(line);
    if (match === "unknown") search.undecided++;
    else if (match === "yes" && lines.length === limit) search.isFull = true;
    else if (match === "yes") lines.push(`${name}:${number}: ${clipped(line)}`);
    start = end === -1 ? text.length : end + 1;
    if (timer.isDue) await timer.yieldToEventLoop(signal);
  }
}

function clipped(line: string): string {
  const start = beginning(line, MAX_LINE);
  return start.length < line.length ? `${start} …` : start;
}

/** The matches, and notes on what was not searched. */
function report({ lines, limit, isFull, unread, undecided }: Search): string {
  const notes: string[] = [];
  if (lines.length === 0) notes.push("[no matches]");
  if (isFull) notes.push(`[there are more than ${limit} matches; narrow the search]`);
  if (unread > 0) notes.push(`[files too large or not readable, and not searched: ${unread}]`);
  if (undecided > 0) notes.push(`[lines that took the pattern too long: ${undecided}]`);
  return [...lines, ...notes].join("\n");
}
