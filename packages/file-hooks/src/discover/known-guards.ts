import { rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecord, messageOf, shellWord, systemCode, typedCommand } from "@tenterhook/internal";
import {
  ALWAYS_NEW,
  isInside,
  isMissing,
  isSameSignature,
  makeFolders,
  readPlainFile,
  realPath,
  replacePlainFile,
  type Signature,
  signatureOf,
  underLock,
} from "@tenterhook/internal/files";
import { EVENT_NAMES, type EventName, eventRow, type Finding, type HookFile } from "@tenterhook/protocol";
import { isStoredMatcher, mayDecide, normalName } from "@tenterhook/protocol/internal";
import { type CataloguedHook, failingHook, type GoneReason, mustBlock } from "./catalogued-hook.ts";
import { hookFileIn } from "./hooks-root.ts";
import { TOML } from "./overrides.ts";
import { describeSharing } from "./settle-names.ts";

// Which guards there were last is in two files of the state folder, which bridges of coding agents write. The list of known guards has the
// user's guards with their matchers, so that one whose file is gone still decides. The lines are read by the hook script when the bridge
// cannot run: they have every guard with `on_error: block`, and the script refuses at every event that can be refused where they are missing
// or lost their end. Where the list is missing or damaged, the lines of the user's guards count in its place, without matchers.

/** A user's hook that could refuse at an event, as it was last seen. Stored, because its file may be gone when it is needed. */
export interface KnownGuard extends Pick<HookFile, "name" | "onError" | "matcher"> {
  readonly event: EventName;
  /** Where it was. */
  readonly folder: string;
}

/** The known guards by hooks root: users of several configuration folders may share a state folder. */
export type GuardsByRoot = ReadonlyMap<string, readonly KnownGuard[]>;

/**
 * The content of the list. `missing` and `damaged`: guards that disappeared before cannot be noticed by it. `unknown`: it exists and could not
 * be read, or is of a later version, so it must not be replaced.
 */
export type GuardList =
  | { readonly type: "read"; readonly roots: GuardsByRoot }
  | { readonly type: "missing" }
  | { readonly type: "damaged" | "unknown"; readonly why: string };

/** A guard that must block when it cannot be asked, as the hook script reads it. */
export interface ListedGuard {
  readonly event: string;
  /** `*` for the user's own. */
  readonly project: string;
  readonly name: string;
}

/** What the catalogue reads of the list of known guards. */
export interface GuardSource {
  readonly path: string;
  readonly signature: Signature | undefined;
  /** The guards of a hooks root as they were last, and what is wrong with the list. */
  read(root: string): ReadGuards;
}

export interface ReadGuards {
  readonly guards: readonly KnownGuard[];
  readonly findings: readonly Finding[];
  /** Why it is not known which guards there were: any may be gone. */
  readonly unreadable?: string;
}

const VERSION = 1;

/** The last line for the hook script: a list that lost its end, or all of its content, does not read as one with fewer guards. */
const LAST_LINE =
  "# Guards with on_error: block, written by tenterhook. A list without this line at its end counts as one that cannot be read.";

/** More hooks roots than anyone has. The list is bounded, whatever a process sets as its configuration folder. */
const MAX_ROOTS = 50;

/** A client waits meanwhile. Another process has a lock for a moment only. */
const LONGEST_WAIT_MS = 500;

export function knownGuardsFile(state: string): string {
  return join(state, "known-guards.json");
}

/** The file for the hook script. One line for each guard: event, project and name, with tabs between them, so that a shell can read it. */
export function guardsFile(state: string): string {
  return join(state, "bridge", "guards");
}

/** Whether a hook can refuse, withhold or keep something running at an event, so that its absence must be noticed. */
export function isGuardAt(hook: Pick<HookFile, "mode" | "events" | "enforce">, event: EventName): boolean {
  return mayDecide(hook) && hook.events.includes(event) && hasGuards(event);
}

function hasGuards(event: EventName): boolean {
  return eventRow(event).block.action !== "record";
}

/** The guards among hooks that must block when they cannot be asked. */
export function findGuards(hooks: readonly CataloguedHook[]): readonly ListedGuard[] {
  return hooks.filter(mustBlock).flatMap(({ scope, folder, hook }) =>
    hook.events.map((event) => ({
      event,
      project: scope === "user" ? "*" : folder.replace(/[\\/]\.agents[\\/]hooks[\\/][^\\/]+$/, "") || "/",
      name: hook.name,
    })),
  );
}

/** Whether a guard of a project, or of the user, is for a folder. */
export function isGuardFor(project: string, folder: string): boolean {
  return project === "*" || isInside(folder, project) || isInside(realPath(folder), project);
}

/** The known guards of the user, as a catalogue reads them: again only when the list has changed. */
export class KnownGuards implements GuardSource {
  readonly path: string;
  readonly #state: string;
  #last: { readonly signature: Signature | undefined; readonly list: GuardList } | undefined;
  #isReplaced = false;

  constructor(state: string) {
    this.#state = state;
    this.path = knownGuardsFile(state);
  }

  /** Changes when a guard is recorded or forgotten, and always while something else counts in the place of the list. */
  get signature(): Signature | undefined {
    return this.#isReplaced ? ALWAYS_NEW : signatureOf(this.path);
  }

  read(root: string): ReadGuards {
    const { signature } = this;
    if (this.#last === undefined || !isSameSignature(this.#last.signature, signature))
      this.#last = { signature, list: readGuardList(this.path) };
    const { list } = this.#last;
    if (list.type === "read") {
      this.#isReplaced = false;
      return { guards: list.roots.get(root) ?? [], findings: [] };
    }
    const listed = listedGuards(this.#state, root);
    const guards = listed ?? [];
    // Without a list and lines, no coding agent has called yet.
    this.#isReplaced = list.type !== "missing" || guards.length > 0;
    if (!this.#isReplaced) return { guards, findings: [] };
    const findings = [lostList(this.path, list)];
    const isUnknown = listed === undefined && list.type === "unknown";
    return { guards, findings, ...(isUnknown && { unreadable: list.why }) };
  }
}

function lostList(file: string, list: Exclude<GuardList, { readonly type: "read" }>): Finding {
  const problem = list.type === "missing" ? "is missing" : `cannot be read (${list.why})`;
  const message = `the list of your guards ${problem}. What a guard with on_error: block checked is refused if that guard is gone; others that were removed are not noticed`;
  return { severity: "error", file, message };
}

/** What was found in place of the known guards. */
interface FoundHooks {
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
  return changeKnown(state, root, (known) => {
    const keys = new Set(present.map(makeKey));
    return [...known.filter((guard) => !keys.has(makeKey(guard))), ...present].sort(byKey);
  });
}

/**
 * Forgets a user's guard, because a person has confirmed that it is gone. False when that could not be stored. One that still exists is known
 * again from the next call on.
 */
export async function forgetKnownGuard(state: string, root: string, name: string): Promise<boolean> {
  const isForgotten = await changeKnown(state, root, (known) => known.filter((guard) => guard.name !== name));
  // Until the next call, the hook script would refuse for it.
  const listed = readGuards(state)?.filter(
    (guard) => guard.project === "*" && normalName(guard.name) !== name,
  );
  return isForgotten && (listed === undefined || (await updateGuards(state, [], listed)));
}

/** Forgets all guards of the user and of all projects: nothing is installed that would answer for them. */
export function forgetAllGuards(state: string): void {
  for (const path of [knownGuardsFile(state), guardsFile(state)])
    rmSync(path, { recursive: true, force: true });
}

/**
 * Keeps the lines of some projects, and of the user, up to date. It never throws; false when they could not be stored, so that the next
 * bridge must try again.
 */
export async function updateGuards(
  state: string,
  projects: readonly string[],
  guards: readonly ListedGuard[],
): Promise<boolean> {
  const replaced = new Set([...projects, ...guards.map(({ project }) => project), "*"]);
  return changeFile(guardsFile(state), () => {
    const before = readLines(state);
    const lines = [
      ...before.guards.filter((line) => !replaced.has(line.split("\t")[1] ?? "")),
      ...guards.map(({ event, project, name }) => [event, project, name].map(oneWord).join("\t")),
    ].sort();
    // A list without guards is written too: it means that there are none.
    const now = [...lines, LAST_LINE, ""].join("\n");
    return now === before.text ? undefined : now;
  });
}

function oneWord(text: string): string {
  return text.replaceAll(/[\t\n]/g, " ");
}

/** Changes the list of known guards of one hooks root. False also where it is not known what the list says. */
async function changeKnown(
  state: string,
  root: string,
  edit: (known: readonly KnownGuard[]) => readonly KnownGuard[],
): Promise<boolean> {
  const path = knownGuardsFile(state);
  return changeFile(path, (isLocked) => {
    const list = readGuardList(path);
    if (list.type === "unknown") throw new Error(list.why);
    const roots: GuardsByRoot =
      list.type === "read" ? list.roots : new Map([[root, listedGuards(state, root) ?? []]]);
    const known = roots.get(root) ?? [];
    const now = edit(known);
    const isSame = list.type !== "damaged" && JSON.stringify(now) === JSON.stringify(known);
    // A list without guards says no more than none.
    if (isSame && (list.type === "read" || now.length === 0)) return undefined;
    // What is not a file, but a folder for example, cannot be replaced by one.
    if (isLocked && list.type === "damaged") rmSync(path, { recursive: true, force: true });
    const others = [...roots].filter(([each]) => each !== root).slice(1 - MAX_ROOTS);
    return formatGuardList(new Map([...others, [root, now]]));
  });
}

/**
 * Writes one of the two files under its lock. `edit` returns its text, or `undefined` where it is as it must be; it is called once more when no
 * other process can write. It never throws; false when the file could not be stored.
 */
async function changeFile(path: string, edit: (isLocked: boolean) => string | undefined): Promise<boolean> {
  try {
    if (edit(false) === undefined) return true;
    makeFolders(dirname(path));
    // A bridge of another project or hooks root would write back what it has read, without the guards of this one.
    await underLock(
      `${path}.lock`,
      () => {
        const text = edit(true);
        if (text !== undefined) replacePlainFile(path, text);
      },
      LONGEST_WAIT_MS,
    );
    return true;
  } catch {
    // The home may be read-only.
    return false;
  }
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

/** The guards of the lines; `undefined` when they are missing or empty, and any guard may exist. */
export function readGuards(state: string): readonly ListedGuard[] | undefined {
  const { guards, isEmpty } = readLines(state);
  if (isEmpty) return undefined;
  return guards.map((line) => {
    const [event = "", project = "", name = ""] = line.split("\t");
    return { event, project, name };
  });
}

/** Lists of older versions have their comment in the first line, or none. */
function readLines(state: string) {
  let text = "";
  try {
    text = readPlainFile(guardsFile(state));
  } catch {
    // It counts as empty.
  }
  const all = text.split("\n").filter((line) => /^(?:#|\w+\t)/.test(line));
  return { text, guards: all.filter((line) => !line.startsWith("#")), isEmpty: all.length === 0 };
}

/** The user's guards of the lines, as known guards. The lines also have hooks at events where nothing can be refused. */
function listedGuards(state: string, root: string): readonly KnownGuard[] | undefined {
  return readGuards(state)?.flatMap(({ event, project, name }): readonly KnownGuard[] =>
    project === "*" && isEvent(event) && hasGuards(event)
      ? [{ name: normalName(name), event, folder: join(root, name), onError: "block" }]
      : [],
  );
}

function isEvent(text: string): text is EventName {
  return (EVENT_NAMES as readonly string[]).includes(text);
}

export function readGuardList(path: string): GuardList {
  let text: string;
  try {
    text = readPlainFile(path);
  } catch (error) {
    if (isMissing(path, error)) return { type: "missing" };
    // What is not a file has no code.
    return { type: systemCode(error) === undefined ? "damaged" : "unknown", why: messageOf(error) };
  }
  try {
    const content: unknown = JSON.parse(text);
    if (isRecord(content) && typeof content.version === "number" && content.version > VERSION)
      return {
        type: "unknown",
        why: `it was written by a newer version of Tenterhook (format ${content.version})`,
      };
    return { type: "read", roots: parseList(content) };
  } catch (error) {
    return { type: "damaged", why: messageOf(error) };
  }
}

function formatGuardList(roots: GuardsByRoot): string {
  // One line for each guard: thousands of them stay readable.
  const lines = [...roots].flatMap(([root, guards]) =>
    guards.map((guard) => JSON.stringify({ root, ...guard })),
  );
  return `{"version":${VERSION},"guards":[${lines.length === 0 ? "" : `\n${lines.join(",\n")}\n`}]}\n`;
}

function parseList(content: unknown): GuardsByRoot {
  if (!isRecord(content) || content.version !== VERSION || !Array.isArray(content.guards))
    throw new Error("it does not contain a list of guards");
  const roots = new Map<string, KnownGuard[]>();
  for (const entry of content.guards as readonly unknown[]) {
    if (!isStoredGuard(entry)) throw new Error("one of its entries is not a guard");
    const { root, ...stored } = entry;
    const guard = { ...stored, name: normalName(stored.name) };
    const guards = roots.get(root);
    if (guards === undefined) roots.set(root, [guard]);
    else guards.push(guard);
  }
  return roots;
}

function isStoredGuard(entry: unknown): entry is KnownGuard & { readonly root: string } {
  if (!isRecord(entry)) return false;
  const { root, name, event, folder, onError, matcher } = entry;
  const texts = [root, name, event, folder];
  if (!texts.every((text) => typeof text === "string") || (onError !== "block" && onError !== "continue"))
    return false;
  return isStoredMatcher(matcher);
}
