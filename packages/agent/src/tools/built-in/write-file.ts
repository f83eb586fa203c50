import { TenterhookError } from "@tenterhook/protocol";
import { type BuiltInTool, type FileToolOptions, inputSchema, throwIfAborted } from "./built-in-tool.ts";
import { exactText, hasCrlf, readTextFile, replaceFile, withLock } from "./file-access.ts";
import { WorkFolder } from "./work-folder.ts";

/** The input of `WriteFile`. */
export interface WriteFileInput {
  readonly file_path: string;
  readonly content: string;
}

/** A tool that writes a whole file atomically, and creates missing folders. */
export function writeFileTool(options: FileToolOptions = {}): BuiltInTool<WriteFileInput, string> {
  return {
    description:
      "Writes a file in the work folder: makes it, and the folders on its way, or replaces all of its contents.",
    inputSchema: inputSchema({
      file_path: { type: "string", description: "The file, relative to the work folder or absolute." },
      content: { type: "string", description: "All that the file shall contain." },
    }),
    async execute({ file_path, content }, { workDir, abortSignal }) {
      const folder = await WorkFolder.open(options.workDir ?? workDir);
      const real = await folder.resolve(file_path);
      const { isNew } = await withLock(real, async () => {
        throwIfAborted(abortSignal);
        return replaceFile(folder, real, file_path, content);
      });
      const size = Buffer.byteLength(content);
      return `${isNew ? "Made" : "Replaced"} ${folder.nameOf(real)} (${size} bytes).`;
    },
  };
}

/** The input of `EditFile`. */
export interface EditFileInput {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** A tool that replaces a text in a file, and leaves all other bytes unchanged. */
export function editFileTool(options: FileToolOptions = {}): BuiltInTool<EditFileInput, string> {
  return {
    description:
      "Replaces old_string by new_string in a text file in the work folder. Both are taken literally. old_string must occur exactly once, unless replace_all is true.",
    inputSchema: inputSchema(
      {
        file_path: { type: "string", description: "The file, relative to the work folder or absolute." },
        old_string: {
          type: "string",
          minLength: 1,
          description: "The text to replace, exactly as it is in the file, white space included.",
        },
        new_string: { type: "string", description: "The text to put there." },
      },
      { replace_all: { type: "boolean", description: "Replace every occurrence. Default false." } },
    ),
    async execute(input, { workDir, abortSignal }) {
      const { file_path: path, replace_all: all = false } = input;
      requireChange(input);
      const folder = await WorkFolder.open(options.workDir ?? workDir);
      const real = await folder.resolve(path);
      const times = await withLock(real, async () => {
        throwIfAborted(abortSignal);
        const bytes = await readTextFile(folder, real, path);
        const { text, times } = edited(exactText(bytes, path), input, all);
        await replaceFile(folder, real, path, text);
        return times;
      });
      return `Replaced ${times === 1 ? "1 occurrence" : `${times} occurrences`} in ${folder.nameOf(real)}.`;
    },
  };
}

function requireChange({ old_string, new_string }: EditFileInput): void {
  if (old_string === "") {
    const hint = "Use WriteFile to write a whole file.";
    throw new TenterhookError("bad_tool_input", "old_string is empty.", { hint });
  }
  if (old_string === new_string) {
    throw new TenterhookError("bad_tool_input", "old_string and new_string are the same.");
  }
}

function edited(text: string, input: EditFileInput, all: boolean): { text: string; times: number } {
  // ReadFile shows such a file with `\n`, so the model writes `\n`.
  const asInFile = (part: string) => (hasCrlf(text) ? part.replace(/\r?\n/g, "\r\n") : part);
  const sought = asInFile(input.old_string);
  const { count, starts } = occurrences(text, sought);
  if (count === 0) {
    const hint = "Read the file again: every space and line end counts.";
    throw new TenterhookError("tool_failed", `old_string does not occur in "${input.file_path}".`, { hint });
  }
  if (count > 1 && !all) {
    const message = `old_string occurs ${count} times in "${input.file_path}", and must occur once.`;
    const hint = "Give more of the text around it, or set replace_all.";
    throw new TenterhookError("tool_failed", message, { hint });
  }
  const ends = [0, ...starts.map((start) => start + sought.length)];
  const unchanged = ends.map((end, index) => text.slice(end, starts[index]));
  return { text: unchanged.join(asInFile(input.new_string)), times: starts.length };
}

/** Where a text occurs in another. */
interface Occurrences {
  /** The count with overlaps: "aa" occurs twice in "aaa", so it is ambiguous there. */
  readonly count: number;
  /** The starts of occurrences that do not overlap with an earlier one. */
  readonly starts: readonly number[];
}

/**
 * Finds a text in another in time proportional to their lengths (Knuth, Morris, Pratt). `indexOf` takes the product of the lengths
 * for hostile texts: minutes for a file of a few megabytes.
 */
export function occurrences(text: string, sought: string): Occurrences {
  const { length } = sought;
  const both = sought + text;
  // For each prefix of both, how much of `sought` it ends with, itself not counted.
  const borders = new Uint32Array(both.length);
  const starts: number[] = [];
  let count = 0;
  let end = 0;
  for (let at = 1; at < both.length; at++) {
    let border = borders[at - 1] ?? 0;
    const code = both.charCodeAt(at);
    while (border > 0 && (border === length || code !== both.charCodeAt(border))) {
      border = borders[border - 1] ?? 0;
    }
    if (code === both.charCodeAt(border)) border++;
    borders[at] = border;
    const start = at + 1 - 2 * length;
    if (border < length || start < 0) continue;
    count++;
    if (start < end) continue;
    starts.push(start);
    end = start + length;
  }
  return { count, starts };
}
