import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "smol-toml";
import type { InstalledFile } from "./install-record.ts";
import { replaceFile } from "./write-file.ts";

/** A file of a client that must hold our entries, as it was when they were last seen there. */
export interface WatchedFile {
  readonly path: string;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly size: number;
  /** What the file says where an event's entry is in place. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The file by which the bridge notices that entries of a client were removed. */
export function watchedFile(state: string, client: string): string {
  return join(state, "bridge", "entries", `${client}.json`);
}

/** Writes down where the entries of a client are, for the bridge. */
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
  mkdirSync(join(state, "bridge", "entries"), { recursive: true, mode: 0o700 });
  replaceFile(watchedFile(state, client), JSON.stringify(watched), 0o600);
}

/** The events whose entries are no longer in a text. */
export function missingEvents({ path, texts }: WatchedFile): readonly string[] {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // A file that is gone holds none of them.
  }
  return Object.entries(texts)
    .filter(([, written]) => !text.includes(written))
    .map(([event]) => event);
}

function writtenAs(path: string, kind: InstalledFile["kind"], command: string): string {
  if (kind === "whole") return path.endsWith(".js") ? "tenterhook-bridge" : command;
  return path.endsWith(".toml") ? stringify({ command }).trim() : JSON.stringify(command);
}
