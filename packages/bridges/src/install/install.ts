import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadClients } from "../clients/index.ts";
import { guardsFile, guardsOf, readGuards, updateGuards } from "../judge/guards.ts";
import { HookSet } from "../judge/hook-set.ts";
import type { Client } from "../shape/client.ts";
import { watchEntries } from "../watch/watch-entries.ts";
import { applyPlan } from "./apply-install.ts";
import type { InstallScope } from "./client-files.ts";
import { fallbackAnswers } from "./fallback-answers.ts";
import { hookCommandFile } from "./hook-command-file.ts";
import { hookScript } from "./hook-script.ts";
import { underLock } from "./install-lock.ts";
import { type InstallPlace, installPlace, pinsFor } from "./install-place.ts";
import { readRecord, writeRecord } from "./install-record.ts";
import { copyBundle, removeOldBundles } from "./own-bundle.ts";
import { type FilePlan, isChange, planInstall } from "./plan-install.ts";
import { replaceFile } from "./write-file.ts";

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
  const place = installPlace(options.cwd, options.env);
  const found = await currentGuards(options, place);
  const guarded = new Set([...(readGuards(place.locations.state) ?? []), ...found].map(({ event }) => event));
  return plansFor(options, place, guarded);
}

/** Installs. Two installations at once come one after the other; one that is killed is completed by the next. */
export async function install(options: InstallOptions): Promise<readonly FilePlan[]> {
  const place = installPlace(options.cwd, options.env);
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  return underLock(join(place.folder, "lock"), async () => {
    const { state, project } = place.locations;
    updateGuards(state, project === undefined ? [] : [project], await currentGuards(options, place));
    const bridge = await installHook(options, place);
    const guarded = new Set((readGuards(state) ?? []).map(({ event }) => event));
    const plans = plansFor(options, place, guarded);
    let record = { ...readRecord(place.record), tenterhook: options.version, node: process.execPath };
    writeRecord(place.record, record);
    for (const plan of plans) {
      const isKnown = record.files.some(({ target, kind }) => target === plan.target && kind === plan.kind);
      if (plan.problem === undefined && (isChange(plan) || !isKnown)) record = applyPlan(plan, place, record);
    }
    for (const { id } of options.clients) watchEntries(state, id, record.files);
    removeOldBundles(place.folder, bridge);
    return plans;
  });
}

/** Copies the bridge and writes what clients start; returns the bundle's first file. */
async function installHook({ env, bundle, version }: InstallOptions, place: InstallPlace): Promise<string> {
  const bridge = copyBundle(bundle, place.folder, version);
  const script = {
    pins: pinsFor(place, bridge, env),
    answers: fallbackAnswers(await loadClients()),
    guards: guardsFile(place.locations.state),
    hasPrivilegedMode:
      process.platform !== "win32" && spawnSync("/bin/sh", ["-p", "-c", "exit 7"]).status === 7,
  };
  const text = process.platform === "win32" ? hookCommandFile(script) : hookScript(script);
  if (currentText(place.hook) !== text) replaceFile(place.hook, text, 0o755);
  return bridge;
}

function plansFor(
  options: InstallOptions,
  place: InstallPlace,
  guarded: ReadonlySet<string>,
): readonly FilePlan[] {
  const { clients, scope, project, env } = options;
  return clients.flatMap((client) =>
    planInstall(client, { place, files: { home: place.home, project, env }, scope, guarded }),
  );
}

async function currentGuards({ cwd, env }: InstallOptions, place: InstallPlace) {
  const set = new HookSet({
    folders: [cwd],
    env: { ...env, HOME: place.home },
    mode: "sync",
    say: () => undefined,
  });
  return guardsOf(await set.active());
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
