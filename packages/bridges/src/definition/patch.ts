import type { PartialCall } from "./tools.ts";

const BEGIN = "*** Begin Patch";
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/**
 * The files that the text of a patch adds, changes, moves and deletes, one call each. `undefined` for a text that is no patch,
 * or that has a line in it which belongs to none of its files: what cannot be read must not pass as harmless.
 */
export function patchCalls(input: Readonly<Record<string, unknown>>): readonly PartialCall[] | undefined {
  // Each client has a name of its own for that argument. Of two patches it is not known which one counts.
  const texts = Object.values(input).filter((value) => typeof value === "string" && value.includes(BEGIN));
  const [text, second] = texts as readonly string[];
  if (text === undefined || second !== undefined) return undefined;
  const all = text.replaceAll("\r\n", "\n").split("\n");
  // Some models wrap it as a shell's here-document; what is around it is no part of the patch.
  const begin = all.findIndex((line) => line.trim() === BEGIN);
  const end = all.findLastIndex((line) => line.trim() === "*** End Patch");
  if (begin < 0 || end <= begin) return undefined;
  const calls: PartialCall[] = [];
  let file: PatchedFile | undefined;
  for (const line of all.slice(begin + 1, end)) {
    // Codex accepts blanks before some headers. To check one file too many is safer than one too few.
    const [, kind, path] = FILE.exec(line.trim()) ?? [];
    const [, target] = MOVE.exec(line.trim()) ?? [];
    if (kind !== undefined && path !== undefined) {
      if (file !== undefined) calls.push(...callsOf(file));
      file = { kind: kind as PatchedFile["kind"], path: path.trim(), target: undefined, body: [] };
    } else if (target !== undefined && file?.kind === "Update") {
      file.target = target.trim();
    } else if (file === undefined) {
      // Codex allows an environment line before the first file; anything else is no patch.
      if (line.trim() !== "" && !line.startsWith("*** Environment ID:")) return undefined;
    } else file.body.push(line);
  }
  if (file !== undefined) calls.push(...callsOf(file));
  return calls.length === 0 ? undefined : calls;
}

interface PatchedFile {
  readonly kind: "Add" | "Update" | "Delete";
  readonly path: string;
  target: string | undefined;
  readonly body: string[];
}

function callsOf({ kind, path, target, body }: PatchedFile): readonly PartialCall[] {
  const added = linesAfter(body, "+");
  switch (kind) {
    case "Add":
      return [{ name: "WriteFile", input: { file_path: path, content: `${added.join("\n")}\n` } }];
    case "Delete":
      return [{ name: "DeleteFile", input: { file_path: path } }];
    case "Update": {
      const strings = { old_string: linesAfter(body, "-").join("\n"), new_string: added.join("\n") };
      const edit = { name: "EditFile", input: { file_path: path, ...strings } };
      if (target === undefined) return [edit];
      return [edit, { name: "WriteFile", input: { file_path: target, content: strings.new_string } }];
    }
  }
}

function linesAfter(body: readonly string[], sign: "+" | "-"): readonly string[] {
  return body.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
}
