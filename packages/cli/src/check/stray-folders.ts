import { join } from "node:path";
import { HOOK_FILE, isHookFilePath } from "@tenterhook/file-hooks/discover";
import { isFolder } from "@tenterhook/internal/files";
import type { Finding } from "@tenterhook/protocol";
import { namesIn } from "../hook-folders.ts";

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
