import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type BuiltInTool, type FileToolOptions, inputSchema } from "./built-in-tool.ts";
import { CooperativeTimer } from "./cooperative-timer.ts";
import { pathFailure, throwIfAborted } from "./failure.ts";
import { binaryFileError, isBinary, readableText } from "./file-text.ts";
import { filesBelow } from "./files-below.ts";
import { globPattern, MAX_GLOB_LENGTH, type PathMatcher } from "./glob-pattern.ts";
import { MatchReport } from "./match-report.ts";
import { readRegularFile } from "./regular-file.ts";
import { type TextSearch, textSearch } from "./text-search.ts";
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
      const search = textSearch(pattern, ignore_case ? "i" : "", `the pattern /${pattern}/`);
      const isWanted = glob === undefined ? () => true : fileMatcher(glob);
      const folder = await WorkFolder.open(options.workDir ?? workDir);
      const start = await folder.resolve(path);
      const report = new MatchReport(Math.min(limit, MAX_LIMIT));
      const scan = new Scan(folder, search, report, abortSignal);
      if (await isFolder(start, path)) await scan.below(start, isWanted);
      else await scan.file(start, path);
      return String(report);
    },
  };
}

/** A pattern without a slash matches file names in any folder. */
function fileMatcher(glob: string): PathMatcher {
  return globPattern(glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
}

async function isFolder(real: string, path: string): Promise<boolean> {
  try {
    return (await stat(real)).isDirectory();
  } catch (error) {
    throw pathFailure(error, path);
  }
}

/** One search. */
class Scan {
  readonly #timer = new CooperativeTimer();
  readonly #folder: WorkFolder;
  readonly #search: TextSearch;
  readonly #report: MatchReport;
  readonly #signal: AbortSignal;

  constructor(folder: WorkFolder, search: TextSearch, report: MatchReport, signal: AbortSignal) {
    this.#folder = folder;
    this.#search = search;
    this.#report = report;
    this.#signal = signal;
  }

  async below(start: string, isWanted: PathMatcher): Promise<void> {
    for await (const file of filesBelow(start, { signal: this.#signal })) {
      if (!isWanted(file)) continue;
      const real = join(start, file);
      const bytes = await readRegularFile(this.#folder, real, file).catch(() => this.#report.unread());
      throwIfAborted(this.#signal);
      if (bytes && !isBinary(bytes)) await this.#lines(readableText(bytes), this.#folder.nameOf(real));
      if (this.#report.isFull) return;
    }
  }

  async file(real: string, path: string): Promise<void> {
    const bytes = await readRegularFile(this.#folder, real, path);
    if (isBinary(bytes)) throw binaryFileError(path);
    await this.#lines(readableText(bytes), this.#folder.nameOf(real));
  }

  async #lines(text: string, name: string): Promise<void> {
    let number = 1;
    for (let start = 0; start < text.length && !this.#report.isFull; number++) {
      const end = text.indexOf("\n", start);
      const line = text.slice(start, end === -1 ? text.length : end).replace(/\r$/, "");
      const match = this.#search(line);
      if (match === "yes") this.#report.found(name, number, line);
      if (match === "unknown") this.#report.undecided();
      start = end === -1 ? text.length : end + 1;
      if (this.#timer.isDue) await this.#timer.yieldToEventLoop(this.#signal);
    }
  }
}
