import { TenterhookError } from "@tenterhook/protocol";
import { type BuiltInTool, type FileToolOptions, inputSchema } from "./built-in-tool.ts";
import { throwIfAborted } from "./failure.ts";
import { binaryFileError, exactText, hasCrlf, isBinary } from "./file-text.ts";
import { occurrences } from "./occurrences.ts";
import { readRegularFile } from "./regular-file.ts";
import { replaceFile } from "./replace-file.ts";
import { withLock } from "./with-lock.ts";
import { WorkFolder } from "./work-folder.ts";

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
        const bytes = await readRegularFile(folder, real, path);
        if (isBinary(bytes)) throw binaryFileError(path);
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
