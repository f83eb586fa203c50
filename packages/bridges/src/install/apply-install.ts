import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolders } from "@tenterhook/internal/files";
import { stringify } from "smol-toml";
import { type WatchedFile, watchedFile } from "../call/record/watched-file.ts";
import { type InstalledFile, type InstallRecord, textHash, writeRecord } from "./install-record.ts";
import type { Installation } from "./installation.ts";
import { type FilePlan, isChange } from "./plan-install.ts";
import { missingFolders, replaceFile } from "./write-file.ts";

/** The most backups of one file; older ones are removed. */
const KEPT_BACKUPS = 10;

/**
 * Applies a plan to one file. What is needed to undo it is on disk before the file changes, so a process that is killed at any
 * moment leaves either the old file or the new one, and a record that fits both.
 */
export function applyPlan(plan: FilePlan, installation: Installation, record: InstallRecord): InstallRecord {
  const { client, scope, path, target, kind, before, after, created, commands, trust } = plan;
  const known = record.files.find((file) => file.target === target && file.kind === kind);
  // Only we have changed it since: the text from before the first installation is still the one to restore.
  const isOurs = known !== undefined && before !== undefined && textHash(before) === known.after;
  const backup =
    before === undefined ? null : isOurs ? known.backup : keepBackup(installation.backups, target, before);
  const file: InstalledFile = {
    client: client.id,
    scope,
    path,
    target,
    kind,
    before: isOurs ? known.before : before === undefined ? null : textHash(before),
    after: textHash(after),
    // A text that has entries of ours is never restored.
    backup: isOurs || !plan.hadOwn ? backup : null,
    created: [...(known?.created ?? []), ...created],
    folders: known?.folders ?? missingFolders(dirname(target)),
    commands,
    ...(trust !== undefined && { trust: [...(known?.trust ?? []), ...trust] }),
  };
  const now: InstallRecord = { ...record, files: [...record.files.filter((each) => each !== known), file] };
  writeRecord(installation.record, now);
  if (!isChange(plan)) return now;
  const current = existsSync(target) ? readFileSync(target, "utf8") : undefined;
  if (current !== before) throw new Error(`${path} was changed meanwhile; run it again`);
  makeFolders(dirname(target), scope === "user" ? 0o700 : 0o755);
  replaceFile(target, after, plan.mode);
  return now;
}

/** Keeps a text outside the project, readable by its owner only; returns where. */
export function keepBackup(folder: string, path: string, text: string): string {
  makeFolders(folder);
  chmodSync(folder, 0o700);
  const name = `${createHash("sha256").update(path).digest("hex").slice(0, 12)}-${basename(path)}`;
  const backup = join(folder, `${name}.${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  replaceFile(backup, text, 0o600);
  const kept = readdirSync(folder)
    .filter((each) => each.startsWith(`${name}.`))
    .sort();
  for (const old of kept.slice(0, Math.max(0, kept.length - KEPT_BACKUPS)))
    rmSync(join(folder, old), { force: true });
  return backup;
}

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
