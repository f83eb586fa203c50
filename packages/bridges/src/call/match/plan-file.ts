import { dirname, join, sep } from "node:path";
import {
  hasPlainWord,
  inputTexts,
  isPlainWord,
  LONGEST_TOOL_NAME,
  neededWords,
  type PlainWord,
  plainWords,
} from "@tenterhook/engine/internal";
import type { CataloguedHook, Locations } from "@tenterhook/file-hooks";
import { effectPart, hookFolders, hookSignature, knownGuardsFile } from "@tenterhook/file-hooks/discover";
import {
  checkedText,
  isReliable,
  isSameSignature,
  readPlainFile,
  replacePlainFile,
  type Signature,
  signatureOf,
  withChecksum,
} from "@tenterhook/internal/files";
import type { EventName } from "@tenterhook/protocol";
import {
  type EffectMatcherInit,
  type FileMatcher,
  listMatchers,
  nativeNames,
  toolKind,
} from "@tenterhook/protocol/internal";
import type { Input } from "../translate/canonical-call.ts";
import type { Step, Translated } from "../translate/translate.ts";

/** Raised when the format of the file or its meaning changes. */
const VERSION = 11;

/** What a bridge must know of a hook before it calls it. */
export interface PlannedHook {
  readonly name: string;
  /** One of them must match; absent when the hook is for every call. */
  readonly matchers?: readonly QuickMatcher[];
  readonly mode: "sync" | "background";
  /** It must block when it cannot be asked. */
  readonly mustBlock: boolean;
}

/** The hooks that take part, by event. */
export type PlannedHooks = Readonly<Partial<Record<EventName, readonly PlannedHook[]>>>;

export interface Plan {
  readonly hooks: PlannedHooks;
  /** The problems of the hook files; reported once in each session. */
  readonly findings: readonly PlanFinding[];
}

/** A problem of a hook file, or of a list of hooks. */
export interface PlanFinding {
  readonly file: string;
  /** As a person reads it. */
  readonly text: string;
}

/** A path with its inode and change time; zeros when it does not exist. */
type PathSignature = readonly [path: string, ino: number, ctimeMs: number];

/** The signatures of everything that discovery reads. */
interface Signatures {
  readonly paths: readonly PathSignature[];
  readonly roots: readonly RootSignatures[];
}

/** Signatures as they are now. */
export interface CurrentSignatures extends Signatures {
  /** Every later change will show. */
  readonly isReliable: boolean;
}

/** A folder of hooks. While it is unchanged itself, so are the names in it. */
interface RootSignatures {
  readonly path: string;
  readonly names: readonly string[];
  /** Inode and change time of each hook's file, one after the other: thousands of small lists would take longer to read than to check. */
  readonly signatures: readonly number[];
}

/** The plan for some folders, valid while everything that discovery reads has these signatures. */
interface PlanFile extends Plan {
  readonly version: number;
  /** The folders of the plan. */
  readonly key: string;
  readonly looked: Signatures;
}

/** The stored plan, if nothing has changed since; `undefined` when there is none. */
export function readPlan(locations: readonly Locations[]): Plan | undefined {
  const plan = readFile(locations);
  return plan?.looked.paths.every(isUnchanged) && plan.looked.roots.every(isUnchangedRoot) ? plan : undefined;
}

/** Makes the plan of the hooks that take part. */
export function planHooks<T extends Pick<CataloguedHook, "hook">>(
  hooks: readonly T[],
  mustBlock: (hook: T) => boolean,
): PlannedHooks {
  const planned: Partial<Record<EventName, PlannedHook[]>> = {};
  for (const each of hooks) {
    const { name, events, mode } = each.hook;
    const matchers = listMatchers(each.hook)?.map(quickMatcher);
    for (const event of events) {
      planned[event] ??= [];
      planned[event].push({
        name,
        ...(matchers !== undefined && { matchers }),
        mode,
        mustBlock: mustBlock(each),
      });
    }
  }
  return planned;
}

/**
 * Stores the plan for the next process, with the signatures from before the hooks were read. Not when something was changed at that very
 * moment: a second change in the same tick of the file system's clock would not show.
 */
export function storePlan(
  locations: readonly Locations[],
  { hooks, findings }: Plan,
  signatures: CurrentSignatures,
): void {
  const { isReliable, ...looked } = signatures;
  if (!isReliable) return;
  const plan: PlanFile = { version: VERSION, key: makeKey(locations), looked, hooks, findings };
  try {
    replacePlainFile(pathFor(locations), withChecksum(JSON.stringify(plan)));
  } catch {
    // The home may be read-only: the next process reads the files again.
  }
}

/** The current signatures of everything that decides which hooks exist. */
export function signaturesFor(locations: readonly Locations[]): CurrentSignatures {
  const paths = new Set<string>();
  const roots = new Map<string, "user" | "project">();
  for (const { userHooks, projectHooks, state, cwd } of locations) {
    if (projectHooks !== undefined) roots.set(projectHooks, "project");
    roots.set(userHooks, "user");
    paths.add(join(state, "trust.json"));
    paths.add(knownGuardsFile(state));
    // A folder of hooks that appears nearer to the working folder would be the project's.
    for (let folder = cwd; ; folder = dirname(folder)) {
      paths.add(join(folder, ".agents", "hooks"));
      if (dirname(folder) === folder) break;
    }
  }
  for (const root of roots.keys()) paths.add(root).add(join(root, "hooks.toml"));
  // The folders themselves first: a hook that is added while they are read is then a change.
  const seen = [...paths].map((path) => [path, ...numbers(signatureOf(path))] as const);
  const missing = new Set(seen.flatMap(([path, ino, ctimeMs]) => (ino === 0 && ctimeMs === 0 ? path : [])));
  const files = [...roots].map(([path, scope]) =>
    missing.has(path) ? { path, names: [], signatures: [] } : rootSignatures(path, scope),
  );
  const times = [
    ...seen.map(([, , ctimeMs]) => ctimeMs),
    ...files.flatMap((root) => root?.signatures.filter((_, at) => at % 2 === 1) ?? []),
  ];
  return {
    paths: seen,
    roots: files.flatMap((root) => root ?? []),
    isReliable: !files.includes(undefined) && times.every((ctimeMs) => isReliable({ ctimeMs })),
  };
}

/** `undefined` when the names in a folder cannot be read. */
function rootSignatures(path: string, scope: "user" | "project"): RootSignatures | undefined {
  try {
    const { names } = hookFolders(scope, path);
    return {
      path,
      names,
      signatures: names.flatMap((name) => numbers(hookSignature(`${path}${sep}${name}`))),
    };
  } catch {
    return undefined;
  }
}

function isUnchanged([path, ino, ctimeMs]: PathSignature): boolean {
  return isSame(signatureOf(path), ino, ctimeMs);
}

function isUnchangedRoot({ path, names, signatures }: RootSignatures): boolean {
  return names.every((name, at) =>
    isSame(hookSignature(`${path}${sep}${name}`), signatures[2 * at] ?? 0, signatures[2 * at + 1] ?? 0),
  );
}

function isSame(signature: Signature | undefined, ino: number, ctimeMs: number): boolean {
  return isSameSignature(signature, ino === 0 && ctimeMs === 0 ? undefined : { ino, ctimeMs });
}

function numbers(signature: Signature | undefined): readonly [number, number] {
  return signature === undefined ? [0, 0] : [signature.ino, signature.ctimeMs];
}

function readFile(locations: readonly Locations[]): PlanFile | undefined {
  try {
    const text = checkedText(readPlainFile(pathFor(locations)));
    if (text === undefined) return undefined;
    const plan = JSON.parse(text) as PlanFile;
    return plan.version === VERSION && plan.key === makeKey(locations) ? plan : undefined;
  } catch {
    return undefined;
  }
}

function makeKey(locations: readonly Locations[]): string {
  return JSON.stringify(
    locations.map(({ cwd, userHooks, projectHooks, state }) => [cwd, userHooks, projectHooks, state]),
  );
}

/** The file is named after the end of the folder's path. Two folders with the same end overwrite each other's plan, which costs time only. */
function pathFor(locations: readonly Locations[]): string {
  const folders = locations.map(({ cwd }) => cwd).join("+");
  return join(locations[0]?.cache ?? "", "bridge", `${encodeURIComponent(folders).slice(-180)}.json`);
}

interface ToolPayload {
  readonly toolName?: string;
  readonly toolAliases?: readonly string[];
  readonly toolInput?: Input;
}

/** Whether a hook may match a call. `by_effect`: only if the call has an effect that a matcher is about, which is not known yet. */
export function mayMatch(plan: PlannedHooks, { steps }: Translated): QuickMatch | "by_effect" {
  const left = matchersLeft(plan, steps);
  if (left.some(({ effect }) => effect === undefined)) return "maybe";
  return left.length > 0 ? "by_effect" : "no";
}

/** The matchers that their tool and pattern do not rule out. What they say of effects is left open. */
export function matchersLeft(plan: PlannedHooks, steps: readonly Step[]): readonly QuickMatcher[] {
  return steps.flatMap(({ event, payload }) => {
    const { toolName, toolAliases = [], toolInput = {} } = payload as ToolPayload;
    const matchers = (plan[event] ?? []).flatMap((hook) => hook.matchers ?? ANY_CALL);
    if (toolName === undefined) return matchers;
    const names = [toolName, ...toolAliases];
    const hasEffects = names.some((name) => (toolKind(name) ?? "nothing") !== "nothing");
    return matchers.filter(
      (matcher) =>
        (matcher.effect === undefined || hasEffects) &&
        names.some((name) => quickMatch(matcher, name, toolInput) === "maybe"),
    );
  });
}

/** Without a condition. */
const ANY_CALL: readonly QuickMatcher[] = [{}];

/** Whether a hook that the client waits for may match a command, whatever it is. */
export function mayGuardShell(plan: PlannedHooks): boolean {
  return (plan.before_tool ?? []).some(
    ({ mode, matchers = ANY_CALL }) =>
      mode === "sync" && matchers.some(({ tool }) => tool === undefined || mayBeTool(tool, "Shell")),
  );
}

/** The result of a matcher, as far as it is known without the pattern engine. */
export type QuickMatch = "no" | "maybe";

/** What can be said of a HOOK.md's matcher without the pattern engine: the words that its patterns need, of which one must be there. */
export interface QuickMatcher {
  readonly tool?: readonly PlainWord[];
  readonly pattern?: readonly PlainWord[];
  readonly effect?: EffectMatcherInit;
}

/** Parses a matcher when the plan is made, so that a call needs no regular expression. */
export function quickMatcher(matcher: FileMatcher): QuickMatcher {
  const { tool, pattern } = matcher;
  const effect = effectPart(matcher);
  const toolWords = tool === undefined ? undefined : plainWords(tool);
  const words = pattern === undefined ? undefined : neededWords(pattern);
  return {
    ...(toolWords !== undefined && { tool: toolWords }),
    ...(words !== undefined && { pattern: words }),
    ...(effect !== undefined && { effect }),
  };
}

/**
 * Whether a matcher certainly does not match a call. Words are searched as the engine does. Where only the pattern engine can decide,
 * or the engine itself would leave it undecided, the result is `maybe`.
 */
export function quickMatch({ tool, pattern }: QuickMatcher, name: string, input: Input): QuickMatch {
  if (tool !== undefined && !mayBeTool(tool, name)) return "no";
  if (pattern === undefined) return "maybe";
  const { texts, complete } = inputTexts(input);
  return !complete || texts.some((text) => hasPlainWord(pattern, text)) ? "maybe" : "no";
}

function mayBeTool(words: readonly PlainWord[], name: string): boolean {
  if (name.length > LONGEST_TOOL_NAME || hasPlainWord(words, name)) return true;
  return nativeNames(name).some((native) => isPlainWord(words, native));
}
