import { readdirSync } from "node:fs";
import { sep } from "node:path";
import { type Signature, signatureOf, UNREACHABLE } from "@tenterhook/internal/files";
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
 * signature is new. The index is kept on disk for the next process.
 */
export class HooksRoot {
  readonly #scope: HookScope;
  readonly #path: string;
  readonly #cache: string;
  #index: RootIndex;
  readonly #parsed = new Map<string, ParsedHookFile>();
  #version = 0;
  #isSaving = false;

  constructor(scope: HookScope, path: string, cache: string) {
    this.#scope = scope;
    this.#path = path;
    this.#cache = cache;
    this.#index = readIndex(cache, path) ?? emptyIndex();
  }

  /** Brings the index up to date; the number changes when the content does. */
  update(): number {
    const own = signatureOf(this.#path);
    if (own === undefined) {
      if (this.#index.names.length > 0) this.#changed(emptyIndex());
    } else if (own.ino !== this.#index.ino || own.ctimeMs !== this.#index.ctimeMs) {
      this.#changed(this.#rebuildIndex(own));
    } else if (this.#updateFiles()) {
      this.#changed(this.#index);
    }
    return this.#version;
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

  /** Checks each hook's file when the names in the root are unchanged. */
  #updateFiles(): boolean {
    const { names, signatures } = this.#index;
    let hasChanged = false;
    for (let at = 0; at < names.length; at++) {
      const now = hookSignature(this.#folderOf(names[at] ?? ""));
      if (signatures[2 * at] === (now?.ino ?? ABSENT) && signatures[2 * at + 1] === (now?.ctimeMs ?? ABSENT))
        continue;
      this.#read(this.#index, at);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Makes a new index; entries of unchanged files are kept. */
  #rebuildIndex({ ino, ctimeMs }: { readonly ino: number; readonly ctimeMs: number }): RootIndex {
    const last = this.#index;
    const before = new Map(last.names.map((name, at) => [name, at]));
    const folders = hookFolders(this.#scope, this.#path);
    const index: RootIndex = {
      ...emptyIndex(),
      ino,
      ctimeMs,
      ...folders,
      signatures: new Float64Array(2 * folders.names.length),
      parsed: last.parsed,
    };
    for (let at = 0; at < index.names.length; at++) {
      const known = before.get(index.names[at] ?? "");
      const now = known === undefined ? undefined : hookSignature(this.#folderOf(index.names[at] ?? ""));
      if (
        known === undefined ||
        now === undefined ||
        last.signatures[2 * known + 1] !== now.ctimeMs ||
        last.signatures[2 * known] !== now.ino
      ) {
        this.#read(index, at);
        continue;
      }
      index.signatures[2 * at] = now.ino;
      index.signatures[2 * at + 1] = now.ctimeMs;
      index.heads[at] = last.heads[known] ?? null;
      index.triggers[at] = last.triggers[known] ?? "";
    }
    return index;
  }

  /** Reads name and trigger of a hook. */
  #read(index: RootIndex, at: number): void {
    const folder = index.names[at] ?? "";
    const { ino, ctimeMs, head } = readHead(this.#folderOf(folder));
    index.signatures[2 * at] = ino;
    index.signatures[2 * at + 1] = ctimeMs;
    index.heads[at] = head === undefined ? null : head.name === folder ? 0 : head.name;
    index.triggers[at] = head?.trigger ?? "";
    delete index.parsed[folder];
    this.#parsed.delete(folder);
  }

  #hook(at: number): FoundHook {
    const root = this;
    const index = this.#index;
    const name = index.names[at] ?? "";
    return {
      scope: this.#scope,
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

/** The names of the folders that hooks are looked for in, and how many more there are. */
export function hookFolders(scope: HookScope, root: string): Pick<RootIndex, "names" | "unread"> {
  const names = foldersIn(root);
  const most = scope === "project" ? MAX_IN_PROJECT : names.length;
  return { names: names.slice(0, most), unread: Math.max(0, names.length - most) };
}

function foldersIn(folder: string): readonly string[] {
  try {
    // A link may lead to a folder. What is a file now can only become a folder by a change of the root.
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isFile());
    // By code unit, so that the order does not depend on the machine's language.
    return entries.map(({ name }) => name).sort();
  } catch {
    return [];
  }
}

interface SignedHead extends Signature {
  readonly head: QuickHead | undefined;
}

const NO_HOOK: SignedHead = { ino: ABSENT, ctimeMs: ABSENT, head: undefined };

function readHead(folder: string): SignedHead {
  const upper = headOf(`${folder}${sep}${HOOK_FILE}`);
  if (upper !== undefined) return upper;
  const lower = headOf(`${folder}${sep}${LOWER_CASE_HOOK_FILE}`);
  return lower === undefined ? NO_HOOK : { ...lower, ...lowerCaseSignature(lower) };
}

function headOf(file: string): SignedHead | undefined {
  try {
    const { ino, ctimeMs, frontmatter } = openFrontmatter(file);
    return { ino, ctimeMs, head: typeof frontmatter === "string" ? undefined : quickHead(frontmatter.yaml) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A file that cannot be reached is not the same as none: the parser reports it.
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { ...UNREACHABLE, head: undefined };
  }
}
