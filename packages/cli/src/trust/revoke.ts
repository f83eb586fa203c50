import { basename, resolve } from "node:path";
import type { TrustStore } from "@tenterhook/file-hooks";
import { nearestWord } from "@tenterhook/protocol";
import { UsageError } from "../usage-error.ts";
import { folderOf, onlyOne } from "./candidates.ts";

/** Takes trust back from hooks by name or path, or from all that concern a folder; returns what was revoked. */
export function revoke(
  words: readonly string[],
  all: boolean,
  cwd: string,
  store: TrustStore,
): readonly string[] {
  const covering = store.covering(cwd);
  if (words.length === 0 && !all)
    throw new UsageError("which one?", "Name a hook or its folder, or say --all.");
  const folders = all
    ? covering.map(({ folder }) => folder)
    : words.map((word) => trustedPath(word, store, covering));
  for (const path of folders) {
    if (basename(path) === "hooks.toml") store.trustToml(path, undefined);
    else store.revoke(path);
  }
  return folders;
}

function trustedPath(word: string, store: TrustStore, covering: ReturnType<TrustStore["covering"]>): string {
  const byName = onlyOne(
    word,
    covering.filter(({ hook }) => hook.name === word),
  );
  if (byName !== undefined) return byName.folder;
  if (store.toml(resolve(word)) !== undefined) return resolve(word);
  const folder = folderOf(word);
  if (store.get(folder) !== undefined) return folder;
  const nearest = nearestWord(
    word,
    covering.map(({ hook }) => hook.name),
  );
  throw new UsageError(
    `"${word}" is not trusted.`,
    nearest === undefined ? "Run tenterhook trust --list to see what is." : `Did you mean ${nearest}?`,
  );
}
