import { statSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "@tenterhook/internal/files";
import { stringify } from "smol-toml";
import { type WatchedFile, watchedFile } from "../call/record/watched-file.ts";
import type { InstalledFile } from "./install-record.ts";
import { replaceFile } from "./write-file.ts";

/** Records the files with a client's entries, for the bridge. */
export function watchEntries(state: string, client: string, files: readonly InstalledFile[]): void {
  const watched = files
    .filter((file) => file.client === client && file.kind !== "trust")
    .flatMap(({ target, kind, commands }): WatchedFile[] => {
      const stats = statSync(target, { throwIfNoEntry: false });
      const texts = Object.entries(commands).map(
        ([event, command]) => [event, writtenAs(target, kind, command)] as const,
      );
      return [
        {
          path: target,
          ino: stats?.ino ?? 0,
          mtimeMs: stats?.mtimeMs ?? 0,
          size: stats?.size ?? 0,
          texts: Object.fromEntries(texts),
        },
      ];
    });
  makeFolders(join(state, "bridge", "entries"));
  replaceFile(watchedFile(state, client), JSON.stringify(watched), 0o600);
}

function writtenAs(path: string, kind: InstalledFile["kind"], command: string): string {
  if (kind === "whole") return path.endsWith(".js") ? "tenterhook-bridge" : command;
  return path.endsWith(".toml") ? stringify({ command }).trim() : JSON.stringify(command);
}
