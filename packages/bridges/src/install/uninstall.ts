import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { forgetAllGuards } from "@tenterhook/file-hooks/discover";
import { makeFolders, underLock } from "@tenterhook/internal/files";
import { watchedFile } from "../call/record/watched-file.ts";
import type { Client } from "../definition/client.ts";
import { keepBackup, watchEntries } from "./apply-install.ts";
import { type FileLocation, findFile, type InstallScope } from "./client-files.ts";
import { endEarlierResident } from "./earlier-resident.ts";
import {
  type InstalledFile,
  type InstallRecord,
  readRecord,
  textHash,
  writeRecord,
} from "./install-record.ts";
import { type Installation, installationFor } from "./installation.ts";
import { installedFiles } from "./installed-files.ts";
import { eventsMovedWithout, takeJsonEntries } from "./json-entries.ts";
import { HASH_TRUST } from "./special-clients.ts";
import { takeTomlEntries } from "./toml-entries.ts";
import { OWN_FILE } from "./whole-file.ts";
import { findUser, replaceFile } from "./write-file.ts";

export interface UninstallOptions {
  readonly clients: readonly Client[];
  readonly scopes: readonly InstallScope[];
  readonly cwd: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What uninstalling would do. */
export function plannedRemovals({
  clients,
  scopes,
  cwd,
  project,
  env,
}: UninstallOptions): readonly RemovalPlan[] {
  const installation = installationFor(cwd, env);
  const at: FileLocation = { home: installation.home, project, env };
  const record = readRecord(installation.record);
  return clients.flatMap((client) => {
    const files = scopes.flatMap((scope) => installedFiles(client, scope, at, record));
    return withoutRepeats(files).map((file) => planRemoval(client, file, at, keptTrust(file, record)));
  });
}

/** One file for all that was recorded as trusted in it. */
function withoutRepeats(files: readonly InstalledFile[]): readonly InstalledFile[] {
  const merged = new Map<string, InstalledFile>();
  for (const file of files) {
    const key = `${file.kind} ${file.target}`;
    const earlier = merged.get(key);
    const trust = [...(earlier?.trust ?? []), ...(file.trust ?? [])];
    merged.set(key, { ...file, ...earlier, ...(trust.length > 0 && { trust }) });
  }
  return [...merged.values()];
}

/** What a file on record has that is not removed from it. */
function keptTrust({ target, kind, trust = [] }: InstalledFile, { files }: InstallRecord) {
  const recorded = files.find((file) => file.target === target && file.kind === kind)?.trust ?? [];
  return recorded.filter(({ key }) => !trust.some((each) => each.key === key));
}

/** Removes our entries. The hook that clients start is kept while another file may name it. */
export async function uninstall(options: UninstallOptions): Promise<readonly RemovalPlan[]> {
  const installation = installationFor(options.cwd, options.env);
  makeFolders(installation.folder);
  const { plans, isLast, resident } = await underLock(join(installation.folder, "lock"), () => {
    let record = readRecord(installation.record);
    const removals = plannedRemovals(options);
    for (const plan of removals) {
      const file = record.files.find(
        ({ target, kind }) => target === plan.file.target && kind === plan.file.kind,
      );
      record = applyRemoval(file === undefined ? plan : { ...plan, file }, installation, record);
    }
    removeMadeFolders(removals);
    for (const { id } of options.clients) {
      const left = record.files.filter((file) => file.client === id);
      if (left.length > 0) watchEntries(installation.locations.state, id, left);
      else rmSync(watchedFile(installation.locations.state, id), { force: true });
    }
    return {
      plans: removals,
      resident: record.resident,
      isLast: record.files.length === 0 && removals.every(({ problem }) => problem === undefined),
    };
  });
  // Nothing starts the hook any more. Committed files print that it is not installed.
  if (isLast) {
    if (resident !== undefined) await endEarlierResident(resident, findUser(installation.home));
    removeAllButBackups(installation.folder);
    // A guard that is removed while nothing is installed must not refuse after the next installation.
    forgetAllGuards(installation.locations.state);
  }
  return plans;
}

function removeAllButBackups(folder: string): void {
  const names = readdirSync(folder);
  for (const name of names.filter((each) => each !== "backups"))
    rmSync(join(folder, name), { recursive: true, force: true });
  if (!names.includes("backups")) rmdirSync(folder);
}

/** The planned change of a file when our entries are removed. */
export interface RemovalPlan {
  readonly file: InstalledFile;
  /** `restore`: the bytes from before. `take`: our entries only, because more has changed. `gone`: nothing of ours is there. */
  readonly how: "restore" | "remove" | "take" | "gone";
  readonly problem?: string;
  readonly before?: string;
  readonly after?: string;
  readonly mode?: number;
  /** The trust in entries of other files, which stays. */
  readonly kept?: InstalledFile["trust"];
  /** Hooks of others that the client no longer recognises afterwards, as a sentence. */
  readonly warning?: string;
}

/** What uninstalling would do to a file; nothing is written. */
export function planRemoval(
  client: Client,
  file: InstalledFile,
  at: FileLocation,
  kept: NonNullable<InstalledFile["trust"]> = [],
): RemovalPlan {
  const found = findFile(file.target, at, client.configuration.files[0]?.home?.variable);
  if (typeof found === "string") return { file, how: "take", problem: found };
  const { text, mode = 0o600 } = found;
  if (text === undefined || textHash(text) === file.before) return { file, how: "gone" };
  const plan = { file, before: text, mode, ...(kept.length > 0 && { kept }) };
  if (textHash(text) === file.after && kept.length === 0) {
    if (file.before === null) return { ...plan, how: "remove" };
    const backup =
      file.backup !== null && existsSync(file.backup) ? readFileSync(file.backup, "utf8") : undefined;
    if (backup !== undefined && textHash(backup) === file.before)
      return { ...plan, how: "restore", after: backup };
  }
  if (file.kind === "whole")
    return text.includes(OWN_FILE) ? { ...plan, how: "remove" } : { file, how: "gone" };
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const taken = without(client, file, text.slice(bom.length));
  if ("problem" in taken) return { file, how: "take", problem: taken.problem };
  if (bom + taken.text === text) return { file, how: "gone", ...(kept.length > 0 && { kept }) };
  const warning = aboutMoved(client, file, text.slice(bom.length));
  return { ...plan, how: "take", after: bom + taken.text, ...(warning !== undefined && { warning }) };
}

/** Entries of others that follow ours change their index; a client that identifies them by it then asks about them again. */
export function aboutMoved(
  client: Client,
  { kind }: Pick<InstalledFile, "kind">,
  text: string,
): string | undefined {
  const trust = HASH_TRUST[client.id];
  if (trust === undefined || kind !== "entries") return undefined;
  const { entry: form } = client.configuration;
  const events = eventsMovedWithout(text, { client: client.id, form, format: "json" });
  if (events.length === 0) return undefined;
  return `hooks of other tools at ${events.join(", ")} stand after ours and move up when ours are taken out; ${trust.whenMoved}`;
}

/** Applies a removal, and takes the file off the record, or what was removed from it. */
export function applyRemoval(
  plan: RemovalPlan,
  installation: Installation,
  record: InstallRecord,
): InstallRecord {
  const { file, how, before, after, mode = 0o600, kept } = plan;
  if (plan.problem !== undefined) return record;
  if (before !== undefined && how !== "restore" && how !== "gone")
    keepBackup(installation.backups, file.target, before);
  if (how === "remove") rmSync(file.target, { force: true });
  else if (after !== undefined) replaceFile(file.target, after, mode);
  // While only we have changed the file, its first text can still be restored.
  const isOurs = before !== undefined && after !== undefined && textHash(before) === file.after;
  const left = kept && { ...file, trust: kept, ...(isOurs && { after: textHash(after) }) };
  const others = record.files.filter((each) => each !== file);
  const now = { ...record, files: left === undefined ? others : [...others, left] };
  writeRecord(installation.record, now);
  return now;
}

function without(
  client: Client,
  file: InstalledFile,
  text: string,
): { readonly text: string } | { readonly problem: string } {
  const { entry: form, files } = client.configuration;
  if (file.kind === "trust") return { text: HASH_TRUST[client.id]?.take(text, file.trust ?? []) ?? text };
  const format = files[0]?.format;
  if (format === "toml") return takeTomlEntries(text, { client: client.id, list: form.at[0] ?? "hooks" });
  return takeJsonEntries(
    text,
    { client: client.id, form, format: format === "jsonc" ? "jsonc" : "json" },
    file.created,
  );
}

/** Removes folders that were made for files of ours, unless something else is in them by now. */
export function removeMadeFolders(plans: readonly RemovalPlan[]): void {
  const folders = plans.filter(({ how }) => how === "remove").flatMap(({ file }) => file.folders);
  for (const folder of [...new Set(folders)].sort((one, other) => other.length - one.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty.
    }
  }
}
