import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "@tenterhook/protocol";

const HOOK_FILE = "HOOK.md";

/** Folders among hooks that are none, because their HOOK.md is missing or spelled in another case: they guard nothing. */
export function strayFolders(place: string): readonly Finding[] {
  return namesIn(place)
    .filter((name) => !/^[._]/.test(name) && isFolder(join(place, name)))
    .sort()
    .flatMap((name) => misspelledHook(join(place, name)) ?? missingHook(join(place, name)));
}

/** A HOOK.md in another case; some file systems find it and most do not. */
export function misspelledHook(folder: string): readonly Finding[] | undefined {
  const names = namesIn(folder);
  const other = names.find((name) => name !== HOOK_FILE && name.toLowerCase() === HOOK_FILE.toLowerCase());
  if (other === undefined || names.includes(HOOK_FILE)) return undefined;
  const message = `it is not read, so this hook does nothing: rename it to ${HOOK_FILE}`;
  return [{ severity: "error", file: join(folder, other), message }];
}

function missingHook(folder: string): readonly Finding[] {
  if (namesIn(folder).includes(HOOK_FILE)) return [];
  const message = `there is no ${HOOK_FILE} in it, so it is no hook; a folder for other things is called _name here`;
  return [{ severity: "warning", file: folder, message }];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
