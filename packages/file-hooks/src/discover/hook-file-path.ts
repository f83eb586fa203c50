import { basename, sep } from "node:path";
import { type Signature, signatureOf } from "@tenterhook/internal/files";

/** The file of a hook. Where a folder has both, HOOK.md counts; where the file system ignores case, they are one file. */
export const HOOK_FILE = "HOOK.md";
export const LOWER_CASE_HOOK_FILE = "hook.md";

/** Inodes of hook.md files are negative in signatures, so that these say which of the two files they are of. */
const LOWER_CASE_OFFSET = 10;

/** The path of the hook's file in a folder; that of a HOOK.md where there is none. */
export function hookFileIn(folder: string): string {
  return pathBySignature(folder, hookSignature(folder)?.ino ?? 0);
}

/** Whether a path is that of a hook's file, by its name. */
export function isHookFilePath(path: string): boolean {
  const name = basename(path);
  return name === HOOK_FILE || name === LOWER_CASE_HOOK_FILE;
}

/** The signature of the hook's file in a folder; `undefined` when there is none. */
export function hookSignature(folder: string): Signature | undefined {
  const upper = signatureOf(`${folder}${sep}${HOOK_FILE}`);
  if (upper !== undefined) return upper;
  const lower = signatureOf(`${folder}${sep}${LOWER_CASE_HOOK_FILE}`);
  return lower === undefined ? undefined : lowerCaseSignature(lower);
}

export function lowerCaseSignature({ ino, ctimeMs }: Signature): Signature {
  return { ino: -ino - LOWER_CASE_OFFSET, ctimeMs };
}

/** The path of a hook's file, by the inode of its signature. */
export function pathBySignature(folder: string, ino: number): string {
  return `${folder}${sep}${ino < -UNUSED_INODES ? LOWER_CASE_HOOK_FILE : HOOK_FILE}`;
}

/** Small negative numbers stand for files that are absent or cannot be reached. */
const UNUSED_INODES = LOWER_CASE_OFFSET / 2;
