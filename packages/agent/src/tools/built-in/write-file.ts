import { type BuiltInTool, type FileToolOptions, inputSchema } from "./built-in-tool.ts";
import { throwIfAborted } from "./failure.ts";
import { replaceFile } from "./replace-file.ts";
import { withLock } from "./with-lock.ts";
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
