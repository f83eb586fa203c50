import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashFolder } from "@tenterhook/file-hooks/trust";
import { giveToParentOwner, makeFolders } from "@tenterhook/internal/files";
import { UsageError } from "../usage-error.ts";

/** A rule is a page, perhaps a script, and its cases. */
export const MAX_RULE_BYTES = 2 * 1024 * 1024;
const MAX_FILES = 200;

/** A plain file of a rule. */
export interface RuleFile {
  /** Relative to the rule's folder, with `/`. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly content: Buffer;
}

/** The files of a folder, each read once. Throws when one of them is a link, or no plain file, or when they are too many or too large. */
export function readRuleFiles(folder: string): readonly RuleFile[] {
  const files: RuleFile[] = [];
  let bytes = 0;
  hashFolder(folder, ({ path, kind, isExecutable, content }) => {
    bytes += content.length;
    if (kind === "link")
      throw new UsageError(`${join(folder, path)} is a link, and a rule has plain files only.`);
    if (files.length === MAX_FILES || bytes > MAX_RULE_BYTES) throw tooLarge(folder);
    files.push({ path: path.replaceAll("\\", "/"), isExecutable, content });
  });
  return files;
}

function tooLarge(folder: string): UsageError {
  return new UsageError(
    `${folder} is too large for a rule: more than ${MAX_FILES} files or ${MAX_RULE_BYTES / 1024 / 1024} MiB.`,
    "Name the folder of a HOOK.md, or a folder of such folders.",
  );
}

/** Writes the files of a rule into a new folder, and returns its hash. Throws for a path that leads out of the folder. */
export function writeRuleFiles(folder: string, files: readonly RuleFile[]): string {
  if (files.length > MAX_FILES) throw tooLarge(folder);
  makeFolders(dirname(folder), 0o755);
  mkdirSync(folder, { mode: 0o755 });
  giveToParentOwner(folder);
  for (const { path, isExecutable, content } of files) {
    if (path.split("/").some((part) => /^(?:|\.|\.\.|\.git)$/i.test(part) || /[\\\0]/.test(part)))
      throw new UsageError(`${JSON.stringify(path)} is no name for a file of a rule.`);
    const full = join(folder, ...path.split("/"));
    makeFolders(dirname(full), 0o755);
    writeNewFile(full, content, isExecutable ? 0o755 : 0o644);
  }
  return hashFolder(folder);
}

/** Writes a file that does not exist. Errors name it, which that of a full disk alone does not. */
export function writeNewFile(path: string, content: string | Buffer, mode: number): void {
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
  chmodSync(path, mode);
  giveToParentOwner(path);
}

/** The files of a rule that is only to be observed: its HOOK.md says `enforce: false`. */
export function asObserved(files: readonly RuleFile[]): readonly RuleFile[] {
  return files.map((file) => {
    if (!/^hook\.md$/i.test(file.path)) return file;
    const [head = "", ...rest] = file.content
      .toString("utf8")
      .split(/^(?=---\s*$)/m)
      .filter(Boolean);
    const without = head.replaceAll(/^enforce:.*\n/gm, "");
    const text = [without.replace(/^---[^\n]*\n/, (line) => `${line}enforce: false\n`), ...rest].join("");
    return { ...file, content: Buffer.from(text) };
  });
}
