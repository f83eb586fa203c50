import { basename, resolve } from "node:path";
import type { TrustStore } from "@tenterhook/file-hooks/trust";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import { normalName } from "@tenterhook/protocol/internal";
import { UsageError } from "../usage-error.ts";
import { folderOf, onlyOne } from "./candidates.ts";

/** Revokes the trust of hooks by name or path, or of all hooks of a folder; returns the revoked paths. */
export function revoke(
  names: readonly string[],
  all: boolean,
  cwd: string,
  store: TrustStore,
): readonly string[] {
  const covering = store.covering(cwd);
  if (names.length === 0 && !all)
    throw new UsageError("missing hook.", "Name a hook or its folder, or use --all.");
  const folders = all
    ? covering.map(({ folder }) => folder)
    : names.map((name) => trustedPath(name, store, covering));
  for (const path of folders) {
    if (basename(path) === "hooks.toml") store.trustToml(path, undefined);
    else store.revoke(path);
  }
  return folders;
}

function trustedPath(name: string, store: TrustStore, covering: ReturnType<TrustStore["covering"]>): string {
  const byName = onlyOne(
    name,
    covering.filter(({ hook }) => hook.name === normalName(name)),
  );
  if (byName !== undefined) return byName.folder;
  if (store.toml(resolve(name)) !== undefined) return resolve(name);
  const folder = folderOf(name);
  if (store.get(folder) !== undefined) return folder;
  const names = covering.map(({ hook }) => hook.name);
  throw new UsageError(
    `"${name}" is not trusted.`,
    didYouMean(name, names, `Run ${typedCommand()} trust --list to see trusted hooks.`),
  );
}
