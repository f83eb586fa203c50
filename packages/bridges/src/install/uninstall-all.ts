import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { KnownGuards } from "@tenterhook/file-hooks/discover";
import { makeFolders, underLock } from "@tenterhook/internal/files";
import { watchedFile } from "../call/record/watched-file.ts";
import type { Client } from "../definition/client.ts";
import type { FileLocation, InstallScope } from "./client-files.ts";
import { endEarlierResident } from "./earlier-resident.ts";
import { findUser } from "./home-owner.ts";
import { type InstalledFile, type InstallRecord, readRecord } from "./install-record.ts";
import { installationFor } from "./installation.ts";
import { installedFiles } from "./installed-files.ts";
import { applyRemoval, planRemoval, type RemovalPlan, removeMadeFolders } from "./uninstall.ts";
import { watchEntries } from "./watch-entries.ts";

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
    rmSync(new KnownGuards(installation.locations.state).path, { recursive: true, force: true });
  }
  return plans;
}

function removeAllButBackups(folder: string): void {
  const names = readdirSync(folder);
  for (const name of names.filter((each) => each !== "backups"))
    rmSync(join(folder, name), { recursive: true, force: true });
  if (!names.includes("backups")) rmdirSync(folder);
}
