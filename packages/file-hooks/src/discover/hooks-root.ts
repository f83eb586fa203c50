import { readdirSync } from "node:fs";
import { sep } from "node:path";
import { messageOf, systemCode } from "@tenterhook/internal";
import { isNotFound, isReliable, type Signature, signatureOf, UNREACHABLE } from "@tenterhook/internal/files";
import { openFrontmatter } from "../parse/frontmatter-text.ts";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import { type QuickHead, quickHead } from "../parse/quick-head.ts";
import {
  HOOK_FILE,
  hookSignature,
  LOWER_CASE_HOOK_FILE,
  lowerCaseSignature,
  pathBySignature,
} from "./hook-file-path.ts";
import type { HookScope } from "./locations.ts";
import {
  ABSENT,
  emptyIndex,
  parsedText,
  type RootIndex,
  readIndex,
  setParsedText,
  writeIndex,
} from "./root-index.ts";

/** More folders than this are not read: a cloned repository could otherwise delay every event by a million of them. */
const MAX_IN_PROJECT = 2_000;

/** A folder with a HOOK.md or hook.md in it. */
export interface FoundHook {
  readonly scope: HookScope;
  readonly folder: string;
  readonly file: string;
  /** What the parser found in it, if it has read the file since it changed. */
  readonly parsed: ParsedHookFile | undefined;
  /** Keeps what the parser found. */
  remember(parsed: ParsedHookFile): void;
}

/**
 * A folder with one folder per hook. An update costs a stat per hook; a file is read, and only its first lines, when its
 * signature is new. The index is kept on disk for the next process. What was read in the tick of its last change has a change time that
 * equals no other, NaN: it is read again. Of what cannot be read, the index has what was known before.
 */
export class HooksRoot {
  readonly scope: HookScope;
  readonly #path: string;
  readonly #cache: string;
  #index: RootIndex;
  readonly #parsed = new Map<string, ParsedHookFile>();
  #problems: ReadonlyMap<string, string> = new Map();
  #version = 0;
  #isSaving = false;

  constructor(scope: HookScope, path: string, cache: string) {
    this.scope = scope;
    this.#path = path;
    this.#cache = cache;
    this.#index = readIndex(cache, path) ?? emptyIndex();
  }

  /** Brings the index up to date; the number changes when the content does. */
  update(): number {
    const problems = new Map<string, string>();
    const own = signatureOf(this.#path);
    if (own === undefined) this.#clear();
    else if (own.ino !== this.#index.ino || own.ctimeMs !== this.#index.ctimeMs) this.#list(own, problems);
    else if (this.#updateFiles(this.#index, problems)) this.#changed(this.#index);
    const before = this.#problems;
    this.#problems = problems;
    if (problems.size !== before.size || [...problems].some(([path, why]) => before.get(path) !== why))
      this.#version++;
    return this.#version;
  }

  /** What could not be read, and why; by path. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  /** Whether its names were ever read since it exists. */
  get isKnown(): boolean {
    return this.#index.ino !== 0;
  }

  /** The hooks whose name and trigger are wanted, and all whose name and trigger only the parser can read. */
  hooks(isWanted: (name: string, trigger: string) => boolean): FoundHook[] {
    const { names, signatures, heads, triggers } = this.#index;
    const found: FoundHook[] = [];
    for (let at = 0; at < names.length; at++) {
      const head = heads[at];
      const folder = names[at] ?? "";
      if (signatures[2 * at] === ABSENT) continue;
      if (typeof head === "object" || isWanted(head || folder, triggers[at] ?? ""))
        found.push(this.#hook(at));
    }
    return found;
  }

  /** Whether two hooks here may have the same name: not while all are named like their folders. */
  get mayRepeatNames(): boolean {
    return this.#index.heads.some((head) => head !== 0);
  }

  get isEmpty(): boolean {
    return this.#index.names.length === 0;
  }

  /** How many folders are not read, because there are too many. */
  get unread(): number {
    return this.#index.unread;
  }

  /** There is no such folder. */
  #clear(): void {
    if (this.isKnown || !this.isEmpty) this.#changed(emptyIndex());
  }

  /** Reads the names in the root. Where that fails, those that were known stay. */
  #list(own: Signature, problems: Map<string, string>): void {
    // Before the names are read: a hook that is added meanwhile must show the next time.
    const ctimeMs = isReliable(own) ? own.ctimeMs : Number.NaN;
    let folders: Pick<RootIndex, "names" | "unread">;
    try {
      folders = hookFolders(this.scope, this.#path);
    } catch (error) {
      if (isNotFound(error)) {
        this.#clear();
        return;
      }
      problems.set(this.#path, reasonOf(error));
      if (own !== UNREACHABLE && this.#updateFiles(this.#index, problems)) this.#changed(this.#index);
      return;
    }
    const index = this.#withNames(folders);
    this.#updateFiles(index, problems);
    this.#changed({ ...index, ino: own.ino, ctimeMs });
  }

  /** The index for other names: what is known of each, and of a new one that its file must be read. */
  #withNames(folders: Pick<RootIndex, "names" | "unread">): RootIndex {
    const last = this.#index;
    const before = new Map(last.names.map((name, at) => [name, at]));
    const signatures = new Float64Array(2 * folders.names.length);
    const heads: RootIndex["heads"] = [];
    const triggers: string[] = [];
    for (const [at, name] of folders.names.entries()) {
      const known = before.get(name) ?? Number.NaN;
      signatures[2 * at] = last.signatures[2 * known] ?? 0;
      signatures[2 * at + 1] = last.signatures[2 * known + 1] ?? Number.NaN;
      heads.push(last.heads[known] ?? null);
      triggers.push(last.triggers[known] ?? "");
    }
    return { ...emptyIndex(), ...folders, signatures, heads, triggers, parsed: last.parsed };
  }

  /** Checks each hook's file. */
  #updateFiles(index: RootIndex, problems: Map<string, string>): boolean {
    const { names, signatures } = index;
    let hasChanged = false;
    for (let at = 0; at < names.length; at++) {
      // Of one that is read in any case, the signature is not asked.
      if (!Number.isNaN(signatures[2 * at + 1])) {
        const now = hookSignature(this.#folderOf(names[at] ?? ""));
        if (
          signatures[2 * at] === (now?.ino ?? ABSENT) &&
          signatures[2 * at + 1] === (now?.ctimeMs ?? ABSENT)
        )
          continue;
      }
      if (this.#read(index, at, problems)) hasChanged = true;
    }
    return hasChanged;
  }

  /** Reads name and trigger of a hook; false when that fails, and what was known of it stays. */
  #read(index: RootIndex, at: number, problems: Map<string, string>): boolean {
    const folder = index.names[at] ?? "";
    const { signatures } = index;
    try {
      const { ino, ctimeMs, head } = readHead(this.#folderOf(folder));
      signatures[2 * at] = ino;
      signatures[2 * at + 1] = ctimeMs;
      index.heads[at] = head === undefined ? null : head.name === folder ? 0 : head.name;
      index.triggers[at] = head?.trigger ?? "";
    } catch (error) {
      const ino = signatures[2 * at] ?? 0;
      if (ino !== 0 && ino !== ABSENT) {
        problems.set(pathBySignature(this.#folderOf(folder), ino), reasonOf(error));
        return false;
      }
      // Nothing is known of it: the parser fails too, and reports it.
      signatures[2 * at] = 0;
      signatures[2 * at + 1] = Number.NaN;
      if (ino === 0) return false;
    }
    delete index.parsed[folder];
    this.#parsed.delete(folder);
    return true;
  }

  #hook(at: number): FoundHook {
    const root = this;
    const index = this.#index;
    const name = index.names[at] ?? "";
    return {
      scope: this.scope,
      folder: this.#folderOf(name),
      file: pathBySignature(this.#folderOf(name), index.signatures[2 * at] ?? ABSENT),
      get parsed() {
        return root.#parsedOf(index, at);
      },
      remember: (parsed) => {
        this.#parsed.set(name, parsed);
        setParsedText(index, at, JSON.stringify(parsed));
        this.#save();
      },
    };
  }

  #parsedOf(index: RootIndex, at: number): ParsedHookFile | undefined {
    const name = index.names[at] ?? "";
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const text = parsedText(index, at);
    // A damaged cache: the file is parsed again.
    if (text === undefined) return undefined;
    const parsed = JSON.parse(text) as ParsedHookFile;
    this.#parsed.set(name, parsed);
    return parsed;
  }

  #folderOf(name: string): string {
    return `${this.#path}${sep}${name}`;
  }

  #changed(index: RootIndex): void {
    this.#index = index;
    this.#version++;
    this.#save();
  }

  /** After the event, which must not wait for a cache to be written. */
  #save(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    setImmediate(() => {
      this.#isSaving = false;
      writeIndex(this.#cache, this.#path, this.#index);
    });
  }
}

/** The names of the folders that hooks are looked for in, and how many more there are. Throws what the file system throws. */
export function hookFolders(scope: HookScope, root: string): Pick<RootIndex, "names" | "unread"> {
  // A link may lead to a folder. What is a file now can only become a folder by a change of the root.
  const entries = readdirSync(root, { withFileTypes: true }).filter((entry) => !entry.isFile());
  // By code unit, so that the order does not depend on the machine's language.
  const names = entries.map(({ name }) => name).sort();
  const most = scope === "project" ? MAX_IN_PROJECT : names.length;
  return { names: names.slice(0, most), unread: Math.max(0, names.length - most) };
}

function reasonOf(error: unknown): string {
  return systemCode(error) ?? messageOf(error);
}

interface SignedHead extends Signature {
  readonly head: QuickHead | undefined;
}

const NO_HOOK: SignedHead = { ino: ABSENT, ctimeMs: ABSENT, head: undefined };

/** Throws where there is a file that cannot be read. */
function readHead(folder: string): SignedHead {
  const upper = headOf(`${folder}${sep}${HOOK_FILE}`);
  if (upper !== undefined) return upper;
  const lower = headOf(`${folder}${sep}${LOWER_CASE_HOOK_FILE}`);
  return lower === undefined ? NO_HOOK : { ...lower, ...lowerCaseSignature(lower) };
}

function headOf(file: string): SignedHead | undefined {
  const now = Date.now();
  try {
    const { ino, ctimeMs, frontmatter } = openFrontmatter(file);
    return {
      ino,
      ctimeMs: isReliable({ ctimeMs }, now) ? ctimeMs : Number.NaN,
      head: typeof frontmatter === "string" ? undefined : quickHead(frontmatter.yaml),
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
