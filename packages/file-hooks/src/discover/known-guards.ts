import { join } from "node:path";
import { isRecord, messageOf, systemCode } from "@tenterhook/internal";
import {
  ALWAYS_NEW,
  isMissing,
  isSameSignature,
  readPlainFile,
  type Signature,
  signatureOf,
} from "@tenterhook/internal/files";
import { EVENT_NAMES, type EventName, eventRow, type Finding, type HookFile } from "@tenterhook/protocol";
import { mayDecide, normalName } from "@tenterhook/protocol/internal";
import { readGuards } from "./listed-guards.ts";

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

/** Whether a hook can refuse, withhold or keep something running at an event, so that its absence must be noticed. */
export function isGuardAt(hook: Pick<HookFile, "mode" | "events" | "enforce">, event: EventName): boolean {
  return mayDecide(hook) && hook.events.includes(event) && eventRow(event).block.action !== "record";
}

/**
 * The guards of the user that coding agents' bridges have seen. Where their list cannot be used, those count that the hook script knows: the
 * ones with `on_error: block`, without their matchers.
 */
export class KnownGuards implements GuardSource {
  readonly path: string;
  readonly #state: string;
  #last: { readonly signature: Signature | undefined; readonly list: GuardList } | undefined;

  constructor(state: string) {
    this.#state = state;
    this.path = join(state, "known-guards.json");
  }

  /** Changes when a guard is recorded or forgotten, and always while the list cannot be used. */
  get signature(): Signature | undefined {
    const type = this.#last?.list.type;
    return type === "unknown" || type === "damaged" ? ALWAYS_NEW : signatureOf(this.path);
  }

  read(root: string): ReadGuards {
    const { signature } = this;
    if (this.#last === undefined || !isSameSignature(this.#last.signature, signature))
      this.#last = { signature, list: readGuardList(this.path) };
    const { list } = this.#last;
    if (list.type === "missing") return { guards: [], findings: [] };
    if (list.type === "read") return { guards: list.roots.get(root) ?? [], findings: [] };
    const guards = listedGuards(this.#state, root);
    const isUnknown = guards === undefined && list.type === "unknown";
    const findings = [unusable(this.path, list.why)];
    return { guards: guards ?? [], findings, ...(isUnknown && { unreadable: list.why }) };
  }
}

/** The user's guards that the hook script knows; `undefined` when its list cannot be read either. */
export function listedGuards(state: string, root: string): readonly KnownGuard[] | undefined {
  return readGuards(state)?.flatMap(({ event, project, name }): readonly KnownGuard[] =>
    project === "*" && isEvent(event)
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

export function formatGuardList(roots: GuardsByRoot): string {
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
  const { root, name, event, folder, onError, matcher = {} } = entry;
  const texts = [root, name, event, folder];
  if (!texts.every((text) => typeof text === "string") || (onError !== "block" && onError !== "continue"))
    return false;
  return (
    isRecord(matcher) &&
    [matcher.tool, matcher.pattern].every((each) => each === undefined || typeof each === "string")
  );
}

function unusable(file: string, why: string): Finding {
  const message = `the list of your guards cannot be read (${why}). Until it can, what a guard with on_error: block checked is refused if that guard is gone, and others that were removed are not noticed`;
  return { severity: "error", file, message };
}
