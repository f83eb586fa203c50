import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import {
  type CataloguedHook,
  hookFolders,
  isSameSignature,
  type Locations,
  readPlainFile,
  type Signature,
  signatureOf,
} from "@tenterhook/file-hooks";
import type { EventName } from "@tenterhook/protocol";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 3;

/** What a bridge must know of a hook before it is asked. */
export interface PlannedHook {
  readonly name: string;
  readonly tool?: string;
  readonly pattern?: string;
  readonly mode: "sync" | "background";
  /** It must block when it cannot be asked. */
  readonly mustBlock: boolean;
}

/** The hooks that take part, by event. */
export type PlannedHooks = Readonly<Partial<Record<EventName, readonly PlannedHook[]>>>;

export interface Plan {
  readonly hooks: PlannedHooks;
  /** What is wrong with the files of hooks; reported once in each session. */
  readonly findings: readonly string[];
}

/** A path with its inode and change time; zeros for what is not there. */
type Seen = readonly [path: string, ino: number, ctimeMs: number];

/** Everything that discovery looks at, with its signature. */
export interface Looked {
  readonly paths: readonly Seen[];
  readonly roots: readonly SeenRoot[];
}

/** A folder of hooks. While it is unchanged itself, so are the names in it. */
interface SeenRoot {
  readonly path: string;
  readonly names: readonly string[];
  /** Inode and change time of each HOOK.md, one after the other: thousands of small lists would take longer to read than to check. */
  readonly signatures: readonly number[];
}

/** The plan for some folders, as it was when everything that was looked at had these signatures. */
interface PlanFile extends Plan {
  readonly version: number;
  /** What it is the plan of. */
  readonly key: string;
  readonly looked: Looked;
}

/** The plan that was kept, if nothing has changed since; `undefined` when there is none to go by. */
export function keptPlan(places: readonly Locations[]): Plan | undefined {
  const plan = readPlan(places);
  return plan?.looked.paths.every(isUnchanged) && plan.looked.roots.every(isUnchangedRoot) ? plan : undefined;
}

/** Makes the plan of the hooks that take part. */
export function planOf(
  hooks: readonly CataloguedHook[],
  mustBlock: (hook: CataloguedHook) => boolean,
): PlannedHooks {
  const planned: Partial<Record<EventName, PlannedHook[]>> = {};
  for (const each of hooks) {
    const { name, events, matcher, mode } = each.hook;
    for (const event of events) {
      planned[event] ??= [];
      planned[event].push({ name, ...matcher, mode, mustBlock: mustBlock(each) });
    }
  }
  return planned;
}

/** Keeps the plan for the next process. `looked`: what was looked at, before the hooks were read. */
export function keepPlan(places: readonly Locations[], { hooks, findings }: Plan, looked: Looked): void {
  const plan: PlanFile = { version: VERSION, key: keyOf(places), looked, hooks, findings };
  try {
    const path = pathFor(places);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(plan), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A read-only home, say: the next process reads the files again.
  }
}

/** Everything that decides which hooks there are, with its signature now. */
export function lookedAt(places: readonly Locations[]): Looked {
  const paths = new Set<string>();
  const roots = new Map<string, "user" | "project">();
  for (const { userHooks, projectHooks, state, cwd } of places) {
    if (projectHooks !== undefined) roots.set(projectHooks, "project");
    roots.set(userHooks, "user");
    paths.add(join(state, "trust.json"));
    // A folder of hooks that appears nearer to the working folder would be the project's.
    for (let folder = cwd; ; folder = dirname(folder)) {
      paths.add(join(folder, ".agents", "hooks"));
      if (dirname(folder) === folder) break;
    }
  }
  for (const root of roots.keys()) paths.add(root).add(join(root, "hooks.toml"));
  // The folders themselves first: what is added to them while they are read is then a change.
  const seen = [...paths].map((path) => [path, ...numbers(signatureOf(path))] as const);
  return { paths: seen, roots: [...roots].map(([path, scope]) => seenRoot(path, scope)) };
}

function seenRoot(path: string, scope: "user" | "project"): SeenRoot {
  const { names } = hookFolders(scope, path);
  return { path, names, signatures: names.flatMap((name) => numbers(signatureOf(hookFile(path, name)))) };
}

function isUnchanged([path, ino, ctimeMs]: Seen): boolean {
  return isSameSignature(signatureOf(path), ino === 0 && ctimeMs === 0 ? undefined : { ino, ctimeMs });
}

function isUnchangedRoot({ path, names, signatures }: SeenRoot): boolean {
  return names.every((name, at) =>
    isUnchanged([hookFile(path, name), signatures[2 * at] ?? 0, signatures[2 * at + 1] ?? 0]),
  );
}

function hookFile(root: string, name: string): string {
  return `${root}${sep}${name}${sep}HOOK.md`;
}

function numbers(signature: Signature | undefined): readonly [number, number] {
  return signature === undefined ? [0, 0] : [signature.ino, signature.ctimeMs];
}

function readPlan(places: readonly Locations[]): PlanFile | undefined {
  try {
    const plan = JSON.parse(readPlainFile(pathFor(places))) as PlanFile;
    return plan.version === VERSION && plan.key === keyOf(places) ? plan : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(places: readonly Locations[]): string {
  return JSON.stringify(
    places.map(({ cwd, userHooks, projectHooks, state }) => [cwd, userHooks, projectHooks, state]),
  );
}

/** The end of the folder's path names the file. Two folders of one name take it from each other, and nothing worse. */
function pathFor(places: readonly Locations[]): string {
  const folders = places.map(({ cwd }) => cwd).join("+");
  return join(places[0]?.cache ?? "", "bridge", `${encodeURIComponent(folders).slice(-180)}.json`);
}
