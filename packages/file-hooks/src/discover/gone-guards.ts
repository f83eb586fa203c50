import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { shellWord, typedCommand } from "@tenterhook/internal";
import type { EventName, Finding } from "@tenterhook/protocol";
import type { CataloguedHook, GoneReason } from "./catalogued-hook.ts";
import { failingHook } from "./failing-hook.ts";
import { hookFileIn } from "./hook-file-path.ts";
import { isGuardAt, type KnownGuard } from "./known-guards.ts";
import { TOML } from "./overrides.ts";
import { describeSharing } from "./settle-names.ts";

/** What was found in place of the known guards. */
export interface FoundHooks {
  readonly root: string;
  /** All hooks that may concern the event, with those that are inactive. */
  readonly hooks: readonly CataloguedHook[];
  /** About the files. */
  readonly findings: readonly Finding[];
}

/**
 * The known guards that no longer check an event, or any of theirs, as hooks that fail. A guard is the same one as long as the user
 * has an active guard with its name: what it checks is up to its HOOK.md as it is now.
 */
export function goneGuards(
  known: readonly KnownGuard[],
  found: FoundHooks,
  event: EventName | undefined,
): readonly CataloguedHook[] {
  const byName = new Map<string, CataloguedHook[]>();
  for (const each of found.hooks) {
    if (each.scope !== "user") continue;
    const same = byName.get(each.hook.name);
    if (same === undefined) byName.set(each.hook.name, [each]);
    else same.push(each);
  }
  const gone = new Map<string, CataloguedHook>();
  for (const guard of known) {
    if (event !== undefined && guard.event !== event) continue;
    const same = byName.get(guard.name) ?? [];
    if (same.some((each) => isInForceAt(each, guard.event))) continue;
    // One hook for all events at which it was the same.
    const key = JSON.stringify([guard.name, guard.folder, guard.onError, guard.matcher]);
    const others = gone.get(key)?.hook.events ?? [];
    gone.set(key, asFailing(guard, [...others, guard.event], reasonFor(guard, same, found)));
  }
  return [...gone.values()];
}

function isInForceAt({ hook, inactive }: CataloguedHook, event: EventName): boolean {
  return (inactive === undefined || inactive === "overridden") && isGuardAt(hook, event);
}

function asFailing(
  { name, folder, onError, matcher }: KnownGuard,
  events: readonly EventName[],
  gone: GoneReason,
): CataloguedHook {
  const failing = { name, events, onError, ...(matcher !== undefined && { matcher }) };
  return failingHook(failing, { scope: "user", folder, file: hookFileIn(folder), isTrusted: false }, gone);
}

function reasonFor(
  { name, folder, event }: KnownGuard,
  same: readonly CataloguedHook[],
  { root, findings }: FoundHooks,
): GoneReason {
  const word = shellWord(name);
  const removed = { command: `${typedCommand()} remove ${word}` };
  const changed = { command: `${typedCommand()} remove ${word} --keep-files` };
  if (same.some(({ inactive }) => inactive === "disabled"))
    return { why: `${join(root, TOML)} disables it`, command: `${typedCommand()} disable ${word}` };
  const sharing = same.filter(({ inactive }) => inactive === "duplicate");
  if (sharing.length > 0) {
    const other = sharing.find((each) => basename(each.folder) !== name)?.folder ?? folder;
    return {
      why: describeSharing(sharing),
      command: `${typedCommand()} rename ${shellWord(other)} NEW-NAME`,
    };
  }
  if (same.some(({ hook }) => hook.enforce === false))
    return {
      why: "it has enforce: false now, so it cannot refuse",
      command: `${typedCommand()} enforce ${word} --off`,
    };
  if (same.some(({ hook }) => hook.mode === "background"))
    return { why: "it has async: true now, so it cannot refuse", ...changed };
  const problem = folderProblem(root) ?? folderProblem(folder);
  if (problem !== undefined) return { why: problem, ...removed };
  const file = hookFileIn(folder);
  const broken = findings.find((finding) => finding.file === file && finding.severity === "error");
  if (broken !== undefined) return { why: `${file} cannot be used (${broken.message})`, ...removed };
  const missing = fileProblem(file);
  if (missing !== undefined) return { why: missing, ...removed };
  return { why: `${file} no longer makes it a guard at ${event}`, ...changed };
}

function folderProblem(path: string): string | undefined {
  return problemAt(path, (isFolder) => (isFolder ? undefined : `${path} is not a folder`));
}

function fileProblem(path: string): string | undefined {
  return problemAt(path, () => undefined);
}

function problemAt(path: string, check: (isFolder: boolean) => string | undefined): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? `${path} does not exist` : check(stats.isDirectory());
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return code === "ENOTDIR" ? `${path} does not exist` : `${path} cannot be read (${code})`;
  }
}
