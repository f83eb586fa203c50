import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type CataloguedHook,
  isSameSignature,
  type Locations,
  type Signature,
  signatureOf,
} from "@tenterhook/file-hooks";
import type { EventName } from "@tenterhook/protocol";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 2;

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
export type Plan = Readonly<Partial<Record<EventName, readonly PlannedHook[]>>>;

/** The hooks that count for some folders, as they were when everything that was looked at had these signatures. */
interface PlanFile {
  readonly version: number;
  /** What it is the plan of. */
  readonly key: string;
  /** Path, inode and change time of all that discovery looks at; zeros for what is not there. */
  readonly looked: readonly (readonly [path: string, ino: number, ctimeMs: number])[];
  readonly hooks: Plan;
}

/** The plan that was kept, if nothing has changed since; `undefined` when there is none to go by. */
export function keptPlan(places: readonly Locations[]): Plan | undefined {
  const plan = readPlan(places);
  return plan?.looked.every(isUnchanged) ? plan.hooks : undefined;
}

/** Makes the plan of the hooks that take part. */
export function planOf(hooks: readonly CataloguedHook[], mustBlock: (hook: CataloguedHook) => boolean): Plan {
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
export function keepPlan(places: readonly Locations[], hooks: Plan, looked: PlanFile["looked"]): void {
  const plan: PlanFile = { version: VERSION, key: keyOf(places), looked, hooks };
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
export function lookedAt(places: readonly Locations[]): PlanFile["looked"] {
  const paths = new Set<string>();
  for (const { userHooks, projectHooks, state, cwd } of places) {
    for (const hooks of [userHooks, ...(projectHooks === undefined ? [] : [projectHooks])]) {
      paths.add(hooks).add(join(hooks, "hooks.toml"));
      for (const name of namesIn(hooks)) paths.add(join(hooks, name, "HOOK.md"));
    }
    paths.add(join(state, "trust.json"));
    // A folder of hooks that appears nearer to the working folder would be the project's.
    for (let folder = cwd; ; folder = dirname(folder)) {
      paths.add(join(folder, ".agents", "hooks"));
      if (dirname(folder) === folder) break;
    }
  }
  return [...paths].map((path) => [path, ...numbers(signatureOf(path))] as const);
}

function isUnchanged([path, ino, ctimeMs]: PlanFile["looked"][number]): boolean {
  return isSameSignature(signatureOf(path), ino === 0 && ctimeMs === 0 ? undefined : { ino, ctimeMs });
}

function numbers(signature: Signature | undefined): readonly [number, number] {
  return signature === undefined ? [0, 0] : [signature.ino, signature.ctimeMs];
}

function readPlan(places: readonly Locations[]): PlanFile | undefined {
  try {
    const plan = JSON.parse(readFileSync(pathFor(places), "utf8")) as PlanFile;
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
