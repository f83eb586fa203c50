import { join } from "node:path";
import { HOOK_FILE, hookFileIn, isHookFilePath, LOWER_CASE_HOOK_FILE } from "@tenterhook/file-hooks/discover";
import { isFolder, readPlainFile } from "@tenterhook/internal/files";
import type { Finding } from "@tenterhook/protocol";
import { namesIn } from "../find-hooks.ts";

/** A model reads the whole file when its event comes. */
const MAX_TOKENS = 1_000;
const CHARACTERS_PER_TOKEN = 4;

/** Problems of a hook's file itself: another one beside it, and its length. */
export function fileFindings(folder: string): readonly Finding[] {
  return [...secondFile(folder), ...tooLong(hookFileIn(folder))];
}

/** By their names as they are stored: where the file system ignores case, there is only one. */
function secondFile(folder: string): readonly Finding[] {
  const names = namesIn(folder);
  if (!names.includes(HOOK_FILE) || !names.includes(LOWER_CASE_HOOK_FILE)) return [];
  const message = `not read, because ${HOOK_FILE} beside it counts; remove one of them`;
  return [{ severity: "warning", file: join(folder, LOWER_CASE_HOOK_FILE), message }];
}

function tooLong(file: string): readonly Finding[] {
  const tokens = Math.ceil(countCharacters(file) / CHARACTERS_PER_TOKEN);
  if (tokens <= MAX_TOKENS) return [];
  const [about, most] = [tokens, MAX_TOKENS].map((number) => number.toLocaleString("en-US"));
  const message = `it has about ${about} tokens (characters / ${CHARACTERS_PER_TOKEN}), and should have at most ${most}: a model reads all of it; move details to other files of the folder`;
  return [{ severity: "warning", file, message }];
}

function countCharacters(file: string): number {
  let characters = 0;
  try {
    for (const _character of readPlainFile(file)) characters++;
  } catch {
    // What cannot be read is reported elsewhere.
  }
  return characters;
}

/** Folders of a hooks root that are not hooks, because HOOK.md is missing or spelled in another way. */
export function strayFolders(root: string): readonly Finding[] {
  return namesIn(root)
    .filter((name) => !/^[._]/.test(name) && isFolder(join(root, name)))
    .sort()
    .flatMap((name) => misspelledHook(join(root, name)) ?? missingHook(join(root, name)));
}

/** A HOOK.md in mixed case, such as Hook.md; some file systems find it and most do not. */
export function misspelledHook(folder: string): readonly Finding[] | undefined {
  const names = namesIn(folder);
  if (names.some(isHookFilePath)) return undefined;
  const other = names.find((name) => name.toLowerCase() === HOOK_FILE.toLowerCase());
  if (other === undefined) return undefined;
  const message = `not read, so this hook does nothing: rename it to ${HOOK_FILE}`;
  return [{ severity: "error", file: join(folder, other), message }];
}

function missingHook(folder: string): readonly Finding[] {
  if (namesIn(folder).some(isHookFilePath)) return [];
  const message = `no ${HOOK_FILE}, so it is not a hook; give a folder for other files a name that begins with _`;
  return [{ severity: "warning", file: folder, message }];
}
