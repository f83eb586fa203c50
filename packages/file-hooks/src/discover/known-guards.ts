import { join } from "node:path";
import { isRecord, messageOf } from "@tenterhook/internal";
import { isSameSignature, readPlainFile, type Signature, signatureOf } from "@tenterhook/internal/files";
import { type EventName, eventRow, type Finding, type HookFile } from "@tenterhook/protocol";
import { mayDecide, normalName } from "@tenterhook/protocol/internal";

/** A user's hook that could refuse at an event, as it was last seen. Stored, because its file may be gone when it is needed. */
export interface KnownGuard extends Pick<HookFile, "name" | "onError" | "matcher"> {
  readonly event: EventName;
  /** Where it was. */
  readonly folder: string;
}

/** The known guards by hooks root: users of several configuration folders may share a state folder. */
export type GuardsByRoot = ReadonlyMap<string, readonly KnownGuard[]>;

/** The content of the list. `missing` and `damaged`: guards that disappeared before cannot be noticed by it. */
export type GuardList =
  | { readonly type: "read"; readonly roots: GuardsByRoot }
  | { readonly type: "missing" }
  | { readonly type: "damaged"; readonly why: string };

/** What the catalogue reads of the list of known guards. */
export interface GuardSource {
  readonly signature: Signature | undefined;
  /** The guards of a hooks root as they were last, and what is wrong with the list. */
  read(root: string): { readonly guards: readonly KnownGuard[]; readonly findings: readonly Finding[] };
}

const VERSION = 1;

/** Whether a hook can refuse, withhold or keep something running at an event, so that its absence must be noticed. */
export function isGuardAt(hook: Pick<HookFile, "mode" | "events" | "enforce">, event: EventName): boolean {
  return mayDecide(hook) && hook.events.includes(event) && eventRow(event).block.action !== "record";
}

/** The guards of the user that coding agents' bridges have seen. */
export class KnownGuards implements GuardSource {
  readonly path: string;
  #last: { readonly signature: Signature | undefined; readonly list: GuardList } | undefined;

  constructor(state: string) {
    this.path = join(state, "known-guards.json");
  }

  /** Changes when a guard is recorded or forgotten. */
  get signature(): Signature | undefined {
    return signatureOf(this.path);
  }

  read(root: string): { readonly guards: readonly KnownGuard[]; readonly findings: readonly Finding[] } {
    const { signature } = this;
    if (this.#last === undefined || !isSameSignature(this.#last.signature, signature))
      this.#last = { signature, list: readGuardList(this.path) };
    const { list } = this.#last;
    return {
      guards: list.type === "read" ? (list.roots.get(root) ?? []) : [],
      findings: list.type === "damaged" ? [damaged(this.path, list.why)] : [],
    };
  }
}

export function readGuardList(path: string): GuardList {
  let text: string;
  try {
    text = readPlainFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR"
      ? { type: "missing" }
      : { type: "damaged", why: messageOf(error) };
  }
  try {
    return { type: "read", roots: parseList(JSON.parse(text)) };
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

function damaged(file: string, why: string): Finding {
  const message = `the list of your guards cannot be read (${why}), so a guard that was removed before may not be noticed`;
  return { severity: "error", file, message };
}
