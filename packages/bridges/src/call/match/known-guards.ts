import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { CataloguedHook } from "@tenterhook/file-hooks";
import {
  formatGuardList,
  type GuardList,
  type GuardsByRoot,
  isGuardAt,
  type KnownGuard,
  KnownGuards,
  listedGuards,
  readGuardList,
  readGuards,
} from "@tenterhook/file-hooks/discover";
import { makeFolders, replacePlainFile, underLock } from "@tenterhook/internal/files";
import type { Finding } from "@tenterhook/protocol";
import { normalName } from "@tenterhook/protocol/internal";
import { updateGuards } from "./guards.ts";

/** A client waits meanwhile. Another process has the lock for a moment only. */
const LONGEST_WAIT_MS = 500;

/** More hooks roots than anyone has. The list is bounded, whatever a process sets as its configuration folder. */
const MAX_ROOTS = 50;

/**
 * Records the user's guards as they are now. Those that are gone stay as they were last. It never throws; false when they could not be
 * stored, so that the next bridge must try again.
 */
export async function recordKnownGuards(
  state: string,
  root: string,
  active: readonly CataloguedHook[],
): Promise<boolean> {
  const present = active
    .filter(({ scope, gone }) => scope === "user" && gone === undefined)
    .flatMap(guardsIn);
  return change(state, (list) => {
    const roots = rootsIn(list);
    const known = roots.get(root) ?? [];
    const keys = new Set(present.map(makeKey));
    const merged = [...known.filter((guard) => !keys.has(makeKey(guard))), ...present].sort(byKey);
    return JSON.stringify(merged) === JSON.stringify(known) ? undefined : withGuards(roots, root, merged);
  });
}

/**
 * Forgets a user's guard, because a person has confirmed that it is gone. False when that could not be stored. One that still exists is known
 * again from the next call on.
 */
export async function forgetKnownGuard(state: string, root: string, name: string): Promise<boolean> {
  const isForgotten = await change(state, (list) => {
    const roots = rootsIn(list);
    const known = roots.get(root) ?? [];
    const left = known.filter((guard) => guard.name !== name);
    return left.length === known.length ? undefined : withGuards(roots, root, left);
  });
  // Until the next call, the hook script would refuse for it.
  const listed = readGuards(state)?.filter(
    (guard) => guard.project === "*" && normalName(guard.name) !== name,
  );
  return isForgotten && (listed === undefined || (await updateGuards(state, [], listed)));
}

/**
 * Makes a list that was deleted or damaged again, from the guards that the hook script knows: those with `on_error: block`, without their
 * matchers. Returns what to report.
 */
export async function restoreKnownGuards(state: string, root: string): Promise<readonly Finding[]> {
  const { path } = new KnownGuards(state);
  const list = readGuardList(path);
  const guards = listedGuards(state, root) ?? [];
  if (list.type === "read" || list.type === "unknown" || (list.type === "missing" && guards.length === 0))
    return [];
  // Another bridge may have made it meanwhile.
  await change(state, (now) =>
    now.type === "read" ? undefined : new Map([[root, [...guards].sort(byKey)]]),
  );
  const problem = list.type === "missing" ? "is missing" : `cannot be read (${list.why})`;
  const message = `the list of your guards ${problem}; it is made again. A guard with on_error: continue that was removed before is not noticed`;
  return [{ severity: "error", file: path, message }];
}

/** Changes the list; `edit` returns `undefined` where it is as it must be. False where it is not known what it says. */
async function change(state: string, edit: (list: GuardList) => GuardsByRoot | undefined): Promise<boolean> {
  const { path } = new KnownGuards(state);
  const before = readGuardList(path);
  if (before.type === "unknown") return false;
  if (edit(before) === undefined) return true;
  let isKnown = true;
  try {
    makeFolders(dirname(path));
    // A bridge of another hooks root would write back what it has read, without the guards of this one.
    await underLock(
      `${path}.lock`,
      () => {
        const list = readGuardList(path);
        isKnown = list.type !== "unknown";
        const roots = isKnown ? edit(list) : undefined;
        // What is not a file, but a folder for example, cannot be replaced by one.
        if (list.type === "damaged") rmSync(path, { recursive: true, force: true });
        if (roots !== undefined) replacePlainFile(path, formatGuardList(roots));
      },
      LONGEST_WAIT_MS,
    );
    return isKnown;
  } catch {
    // The home may be read-only.
    return false;
  }
}

function rootsIn(list: GuardList): GuardsByRoot {
  return list.type === "read" ? list.roots : new Map();
}

function withGuards(roots: GuardsByRoot, root: string, guards: readonly KnownGuard[]): GuardsByRoot {
  const others = [...roots].filter(([each]) => each !== root).slice(1 - MAX_ROOTS);
  return new Map([...others, [root, guards]]);
}

function guardsIn({ folder, hook }: CataloguedHook): readonly KnownGuard[] {
  const { name, onError, matcher } = hook;
  return hook.events
    .filter((event) => isGuardAt(hook, event))
    .map((event) => ({ name, event, folder, onError, ...(matcher !== undefined && { matcher }) }));
}

function makeKey({ name, event }: KnownGuard): string {
  return JSON.stringify([name, event]);
}

function byKey(a: KnownGuard, b: KnownGuard): number {
  return makeKey(a) < makeKey(b) ? -1 : 1;
}
