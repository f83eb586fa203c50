import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { messageOf, systemCode } from "@tenterhook/internal";
import {
  checkedText,
  isNotFound,
  isReliable,
  readPlainFile,
  replacePlainFile,
  type Signature,
  signatureOf,
  UNREACHABLE,
  withChecksum,
} from "@tenterhook/internal/files";
import { openFrontmatter, quickHead } from "../parse/frontmatter-text.ts";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import type { HookScope } from "./locations.ts";

/** Raised when what is cached, or how it is read, changes. */
const VERSION = 9;

/** More folders than this are not read: a cloned repository could otherwise delay every event by a million of them. */
const MAX_IN_PROJECT = 2_000;

/** The signature of a folder without a hook's file. */
const ABSENT = -2;

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

/** What is known of one folder, with the signature of its hook's file (see `hookSignature`), or ABSENT twice. */
interface KnownHook extends Signature {
  /** `null`: only the parser can read it. */
  readonly name: string | null;
  readonly trigger: string;
  /** What the parser found, as JSON: most of it is of hooks that no event of a process concerns. */
  json?: string;
  parsed?: ParsedHookFile;
}

const NO_HOOK: Readonly<KnownHook> = { ino: ABSENT, ctimeMs: ABSENT, name: null, trigger: "" };

/** Of a folder whose hook is yet to be read. */
const NEW: Readonly<KnownHook> = { ino: 0, ctimeMs: Number.NaN, name: null, trigger: "" };

/** The folders in a hooks root. */
interface Folders {
  /** In order. */
  readonly names: readonly string[];
  /** How many more there are than are read. */
  readonly unread: number;
}

/** What is known of a hooks root, with its own signature: while that is the same, so are the names in it. */
interface Listing extends Signature {
  readonly unread: number;
  /** By the name of the folder. */
  readonly hooks: Map<string, KnownHook>;
}

/**
 * A folder with one folder per hook. An update costs a stat per hook; a file is read, and only its first lines, when its
 * signature is new. What is known is cached on disk for the next process. What was read in the tick of its last change has a change time that
 * equals no other, NaN: it is read again. Of what cannot be read, that stays which was known before.
 */
export class HooksRoot {
  readonly scope: HookScope;
  readonly #path: string;
  readonly #cache: string;
  #listing: Listing;
  #problems: ReadonlyMap<string, string> = new Map();
  #version = 0;
  #isSaving = false;

  constructor(scope: HookScope, path: string, cache: string) {
    this.scope = scope;
    this.#path = path;
    this.#cache = join(cache, `hooks-${createHash("sha256").update(path).digest("hex").slice(0, 16)}.json`);
    this.#listing = readCache(this.#cache) ?? NOTHING;
  }

  /** Brings it up to date; the number changes when the content does. */
  update(): number {
    const problems = new Map<string, string>();
    const own = signatureOf(this.#path);
    if (own === undefined) this.#clear();
    else if (own.ino !== this.#listing.ino || own.ctimeMs !== this.#listing.ctimeMs)
      this.#list(own, problems);
    else if (this.#updateFiles(this.#listing, problems)) this.#changed(this.#listing);
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
    return this.#listing.ino !== 0;
  }

  /** The hooks whose name and trigger are wanted, and all whose name and trigger only the parser can read. */
  hooks(isWanted: (name: string, trigger: string) => boolean): FoundHook[] {
    const found: FoundHook[] = [];
    for (const [folder, known] of this.#listing.hooks) {
      if (known.ino === ABSENT) continue;
      if (known.name === null || isWanted(known.name, known.trigger)) found.push(this.#found(folder, known));
    }
    return found;
  }

  /** Whether two hooks here may have the same name: not while all are named like their folders. */
  get mayRepeatNames(): boolean {
    return [...this.#listing.hooks].some(([folder, { name }]) => name !== folder);
  }

  get isEmpty(): boolean {
    return this.#listing.hooks.size === 0;
  }

  /** How many folders are not read, because there are too many. */
  get unread(): number {
    return this.#listing.unread;
  }

  /** There is no such folder. */
  #clear(): void {
    if (this.isKnown || !this.isEmpty) this.#changed(NOTHING);
  }

  /** Reads the names in the root. Where that fails, those that were known stay. */
  #list(own: Signature, problems: Map<string, string>): void {
    // Before the names are read: a hook that is added meanwhile must show the next time.
    const ctimeMs = isReliable(own) ? own.ctimeMs : Number.NaN;
    const before = this.#listing.hooks;
    try {
      const { names, unread } = hookFolders(this.scope, this.#path);
      const hooks = new Map(names.map((name) => [name, before.get(name) ?? { ...NEW }]));
      const listing = { ino: own.ino, ctimeMs, unread, hooks };
      this.#updateFiles(listing, problems);
      this.#changed(listing);
    } catch (error) {
      if (isNotFound(error)) {
        this.#clear();
        return;
      }
      problems.set(this.#path, reasonOf(error));
      if (own !== UNREACHABLE && this.#updateFiles(this.#listing, problems)) this.#changed(this.#listing);
    }
  }

  /** Checks each hook's file, and reads those that are new. Returns whether anything is known that was not known before. */
  #updateFiles({ hooks }: Listing, problems: Map<string, string>): boolean {
    let hasChanged = false;
    for (const [folder, known] of hooks) {
      const path = this.#pathOf(folder);
      // Of one that is read in any case, the signature is not asked.
      if (!Number.isNaN(known.ctimeMs)) {
        const now = hookSignature(path) ?? NO_HOOK;
        if (known.ino === now.ino && known.ctimeMs === now.ctimeMs) continue;
      }
      try {
        hooks.set(folder, readHook(path));
        hasChanged = true;
      } catch (error) {
        // What was known of it stays. Of one of which nothing is known the parser fails too, and reports it.
        if (known.ino !== NEW.ino && known.ino !== ABSENT)
          problems.set(pathBySignature(path, known.ino), reasonOf(error));
        else if (known.ino === ABSENT) {
          hooks.set(folder, { ...NEW });
          hasChanged = true;
        }
      }
    }
    return hasChanged;
  }

  #found(name: string, known: KnownHook): FoundHook {
    const folder = this.#pathOf(name);
    return {
      scope: this.scope,
      folder,
      file: pathBySignature(folder, known.ino),
      get parsed() {
        if (known.json !== undefined) known.parsed ??= JSON.parse(known.json) as ParsedHookFile;
        return known.parsed;
      },
      remember: (parsed) => {
        known.parsed = parsed;
        known.json = JSON.stringify(parsed);
        this.#save();
      },
    };
  }

  #pathOf(folder: string): string {
    return `${this.#path}${sep}${folder}`;
  }

  #changed(listing: Listing): void {
    this.#listing = listing;
    this.#version++;
    this.#save();
  }

  /** After the event, which must not wait for a cache to be written. */
  #save(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    setImmediate(() => {
      this.#isSaving = false;
      writeCache(this.#cache, this.#listing);
    });
  }
}

const NOTHING: Listing = { ino: 0, ctimeMs: 0, unread: 0, hooks: new Map() };

/** As it is on disk. A number that is NaN is `null` there. */
interface StoredListing extends Omit<Listing, "hooks"> {
  readonly version: number;
  readonly hooks: readonly (readonly [
    folder: string,
    ino: number,
    ctimeMs: number | null,
    name: string | null,
    trigger: string,
    json?: string,
  ])[];
}

/** What an earlier process has cached; `undefined` when there is none, or it is damaged. */
function readCache(path: string): Listing | undefined {
  try {
    const text = checkedText(readPlainFile(path));
    const stored = JSON.parse(text ?? "{}") as StoredListing;
    if (stored.version !== VERSION) return undefined;
    const { ino, ctimeMs, unread } = stored;
    const hooks = stored.hooks.map(([folder, inode, changed, name, trigger, json]): [string, KnownHook] => [
      folder,
      { ino: inode, ctimeMs: changed ?? Number.NaN, name, trigger, ...(json !== undefined && { json }) },
    ]);
    return { ino, ctimeMs, unread, hooks: new Map(hooks) };
  } catch {
    return undefined;
  }
}

/** Caches it for the next process. A failure does no harm: that process reads the files again. */
function writeCache(path: string, { hooks, ...listing }: Listing): void {
  const stored: StoredListing = {
    ...listing,
    version: VERSION,
    hooks: [...hooks].map(([folder, { ino, ctimeMs, name, trigger, json }]) =>
      json === undefined
        ? [folder, ino, ctimeMs, name, trigger]
        : [folder, ino, ctimeMs, name, trigger, json],
    ),
  };
  try {
    replacePlainFile(path, withChecksum(JSON.stringify(stored)));
  } catch {
    // For example a read-only home.
  }
}

/** The names of the folders that hooks are looked for in, and how many more there are. Throws what the file system throws. */
export function hookFolders(scope: HookScope, root: string): Folders {
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

/** Reads the first lines of a folder's hook. Throws where there is a file that cannot be read. */
function readHook(folder: string): KnownHook {
  const upper = readFile(`${folder}${sep}${HOOK_FILE}`);
  if (upper !== undefined) return upper;
  const lower = readFile(`${folder}${sep}${LOWER_CASE_HOOK_FILE}`);
  return lower === undefined ? { ...NO_HOOK } : { ...lower, ...lowerCaseSignature(lower) };
}

function readFile(file: string): KnownHook | undefined {
  const now = Date.now();
  try {
    const { ino, ctimeMs, frontmatter } = openFrontmatter(file);
    const head = typeof frontmatter === "string" ? undefined : quickHead(frontmatter.yaml);
    return {
      ino,
      ctimeMs: isReliable({ ctimeMs }, now) ? ctimeMs : Number.NaN,
      name: head?.name ?? null,
      trigger: head?.trigger ?? "",
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The file of a hook. Where a folder has both, HOOK.md counts; where the file system ignores case, they are one file. */
export const HOOK_FILE = "HOOK.md";
export const LOWER_CASE_HOOK_FILE = "hook.md";

/** Inodes of hook.md files are negative in signatures, so that these say which of the two files they are of. */
const LOWER_CASE_OFFSET = 10;

/** The path of the hook's file in a folder; that of a HOOK.md where there is none. */
export function hookFileIn(folder: string): string {
  return pathBySignature(folder, hookSignature(folder)?.ino ?? 0);
}

/** Whether a path is that of a hook's file, by its name. */
export function isHookFilePath(path: string): boolean {
  const name = basename(path);
  return name === HOOK_FILE || name === LOWER_CASE_HOOK_FILE;
}

/** The signature of the hook's file in a folder; `undefined` when there is none. */
export function hookSignature(folder: string): Signature | undefined {
  const upper = signatureOf(`${folder}${sep}${HOOK_FILE}`);
  if (upper !== undefined) return upper;
  const lower = signatureOf(`${folder}${sep}${LOWER_CASE_HOOK_FILE}`);
  return lower === undefined ? undefined : lowerCaseSignature(lower);
}

function lowerCaseSignature({ ino, ctimeMs }: Signature): Signature {
  return { ino: -ino - LOWER_CASE_OFFSET, ctimeMs };
}

/** The path of a hook's file, by the inode of its signature. */
function pathBySignature(folder: string, ino: number): string {
  return `${folder}${sep}${ino < -UNUSED_INODES ? LOWER_CASE_HOOK_FILE : HOOK_FILE}`;
}

/** Small negative numbers stand for files that are absent or cannot be reached. */
const UNUSED_INODES = LOWER_CASE_OFFSET / 2;
