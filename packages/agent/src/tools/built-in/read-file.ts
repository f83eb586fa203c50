import { TenterhookError } from "@tenterhook/protocol";
import { type BuiltInTool, type FileToolOptions, inputSchema, throwIfAborted } from "./built-in-tool.ts";
import { beginning, readableText, readTextFile } from "./file-access.ts";
import { WorkFolder } from "./work-folder.ts";

/** The input of `ReadFile`. */
export interface ReadFileInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** The limits of one call: lines, unless the call has its own limit, and characters. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

/** A tool that returns the text of a file, with a note at the end if there is more. */
export function readFileTool(options: FileToolOptions = {}): BuiltInTool<ReadFileInput, string> {
  return {
    description: `Reads a text file in the work folder. Gives at most ${MAX_LINES} lines and ${MAX_CHARACTERS} characters; a note at the end says where to go on.`,
    inputSchema: inputSchema(
      { file_path: { type: "string", description: "The file, relative to the work folder or absolute." } },
      {
        offset: { type: "integer", minimum: 1, description: "The first line to read, counted from 1." },
        limit: {
          type: "integer",
          minimum: 1,
          description: `How many lines to read. Default ${MAX_LINES}.`,
        },
      },
    ),
    async execute({ file_path, offset = 1, limit = MAX_LINES }, { workDir, abortSignal }) {
      throwIfAborted(abortSignal);
      const folder = await WorkFolder.open(options.workDir ?? workDir);
      const bytes = await readTextFile(folder, await folder.resolve(file_path), file_path);
      return excerpt(readableText(bytes), offset, limit, file_path);
    },
  };
}

function excerpt(text: string, offset: number, limit: number, path: string): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split("\n");
  const endsWithNewline = lines.at(-1) === "";
  if (endsWithNewline) lines.pop();
  if (offset > lines.length) {
    const message = `offset ${offset} is after the end of "${path}", which has ${lines.length} lines.`;
    throw new TenterhookError("bad_tool_input", message);
  }
  const wanted = lines.slice(offset - 1, offset - 1 + limit);
  const given = fitting(wanted);
  const last = offset - 1 + given.length;
  const body = given.join("\n");
  if (body.length > MAX_CHARACTERS) {
    const more = last < lines.length ? `; the next line is at offset ${last + 1}` : "";
    return `${beginning(body, MAX_CHARACTERS)}\n[line ${last} is cut: it has ${body.length} characters${more}]`;
  }
  if (last === lines.length) return endsWithNewline ? `${body}\n` : body;
  return `${body}\n[lines ${offset} to ${last} of ${lines.length}; go on with offset ${last + 1}]`;
}

/** As many lines as fit, and at least one. */
function fitting(lines: readonly string[]): readonly string[] {
  let length = -1;
  const next = lines.findIndex((line) => {
    length += line.length + 1;
    return length > MAX_CHARACTERS;
  });
  return next === -1 ? lines : lines.slice(0, Math.max(next, 1));
}
