import { basename } from "node:path";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { normalName } from "@tenterhook/protocol/internal";
import { foldersHere } from "./hook-folders.ts";

/** Arguments with the folders of the hooks here in the place of their names; all others are paths. */
export function withoutNames(args: readonly string[]): readonly string[] {
  if (args.length === 0) return args;
  const named = foldersHere().map((folder) => ({ folder, name: nameIn(folder) }));
  return args.flatMap((given) => {
    const folders = named.filter(({ name }) => name === normalName(given)).map(({ folder }) => folder);
    return folders.length === 0 ? [given] : folders;
  });
}

/** The name of the hook in a folder; that of the folder where its HOOK.md cannot be used. */
function nameIn(folder: string): string {
  return readHookFile(hookFileIn(folder)).hook?.name ?? normalName(basename(folder));
}
