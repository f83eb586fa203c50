import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  findGuards,
  guardsFile,
  readGuards,
  recordKnownGuards,
  updateGuards,
} from "@tenterhook/file-hooks/discover";
import { typedCommand } from "@tenterhook/internal";
import { underLock } from "@tenterhook/internal/files";
import { HookSet } from "../call/match/match-hooks.ts";
import { loadClients } from "../clients/index.ts";
import type { Client } from "../definition/client.ts";
import { applyPlan, watchEntries } from "./apply-install.ts";
import type { InstallScope } from "./client-files.ts";
import { endEarlierResident } from "./earlier-resident.ts";
import { fallbackAnswers } from "./fallback-answers.ts";
import { hookCommandFile } from "./hook-command-file.ts";
import { hookScript } from "./hook-script.ts";
import { type InstallRecord, readRecord, writeRecord } from "./install-record.ts";
import { type Installation, installationFor, pinsFor } from "./installation.ts";
import { recordedFolders } from "./installed-environment.ts";
import { copyBundle, removeOldBundles } from "./own-bundle.ts";
import { type FilePlan, isChange, planInstall } from "./plan-install.ts";
import { checkUsableByOwner, findUser, makeForHomeOwner, replaceFile } from "./write-file.ts";

export interface InstallOptions {
  readonly clients: readonly Client[];
  readonly scope: InstallScope;
  readonly cwd: string;
  /** The project's folder, for the files of a project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the bridge's bundle, which is copied. */
  readonly bundle: string;
  readonly version: string;
}

/** What an installation would change. */
export async function plannedInstall(options: InstallOptions): Promise<readonly FilePlan[]> {
  const installation = installationFor(options.cwd, options.env);
  const { active } = await currentHooks(options, installation);
  const found = findGuards(active);
  const guarded = new Set(
    [...(readGuards(installation.locations.state) ?? []), ...found].map(({ event }) => event),
  );
  return plansFor(options, installation, guarded);
}

/** Installs. Concurrent installations run one after the other; one that is killed is completed by the next. */
export async function install(options: InstallOptions): Promise<readonly FilePlan[]> {
  const installation = installationFor(options.cwd, options.env);
  makeForHomeOwner(installation.home, installation.locations.state);
  makeForHomeOwner(installation.home, installation.folder);
  return underLock(join(installation.folder, "lock"), async () => {
    const { state, project, userHooks } = installation.locations;
    const { active, unread } = await currentHooks(options, installation);
    if (unread.has("user"))
      throw new Error(
        `${userHooks} cannot be read, so it is not known which guards are in it. Run ${typedCommand()} list for the reason, make it readable, and run it again.`,
      );
    if (!(await updateGuards(state, project === undefined ? [] : [project], findGuards(active))))
      throw new Error(
        `the list of guards in ${state} cannot be written. Make it writable, with space on its disk, and run it again.`,
      );
    await recordKnownGuards(state, userHooks, active);
    const bridge = await installHook(options, installation);
    checkUsableByOwner(installation, process.execPath, bridge);
    const guarded = new Set((readGuards(state) ?? []).map(({ event }) => event));
    const plans = plansFor(options, installation, guarded);
    const { resident: previous, ...known } = readRecord(installation.record);
    if (previous !== undefined) await endEarlierResident(previous, findUser(installation.home));
    let record: InstallRecord = {
      ...known,
      tenterhook: options.version,
      node: process.execPath,
      folders: recordedFolders(installation),
    };
    writeRecord(installation.record, record);
    for (const plan of plans) {
      const isKnown = record.files.some(({ target, kind }) => target === plan.target && kind === plan.kind);
      if (plan.problem === undefined && (isChange(plan) || !isKnown))
        record = applyPlan(plan, installation, record);
    }
    for (const { id } of options.clients) watchEntries(state, id, record.files);
    removeOldBundles(installation.folder, bridge);
    return plans;
  });
}

/** Copies the bridge and writes the hook that clients start; returns the bundle's first file. */
async function installHook(
  { env, bundle, version }: InstallOptions,
  installation: Installation,
): Promise<string> {
  const bridge = copyBundle(bundle, installation.folder, version);
  const pins = pinsFor(installation, bridge, env);
  const script = {
    pins,
    answers: fallbackAnswers(await loadClients()),
    guards: guardsFile(installation.locations.state),
    hasPrivilegedMode:
      process.platform !== "win32" && spawnSync("/bin/sh", ["-p", "-c", "exit 7"]).status === 7,
  };
  const text = process.platform === "win32" ? hookCommandFile(script) : hookScript(script);
  const isStartable = ((statSync(installation.hook, { throwIfNoEntry: false })?.mode ?? 0) & 0o500) === 0o500;
  if (currentText(installation.hook) !== text || !isStartable) replaceFile(installation.hook, text, 0o755);
  return bridge;
}

function plansFor(
  options: InstallOptions,
  installation: Installation,
  guarded: ReadonlySet<string>,
): readonly FilePlan[] {
  const { clients, scope, project, env } = options;
  return clients.flatMap((client) =>
    planInstall(client, { installation, files: { home: installation.home, project, env }, scope, guarded }),
  );
}

async function currentHooks({ cwd, env }: InstallOptions, installation: Installation) {
  const set = new HookSet({
    folders: [cwd],
    env: { ...env, HOME: installation.home },
    mode: "sync",
    report: () => undefined,
  });
  return set.read();
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
