import { readdirSync } from "node:fs";
import { sep } from "node:path";
import { openFrontmatter } from "../parse/frontmatter-text.ts";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import { quickHead } from "../parse/quick-head.ts";
import { type KnownHook, type KnownPlace, readKnownPlace, writeKnownPlace } from "./cache.ts";
import type { Scope } from "./locations.ts";
import { isSameSignature, signatureOf, UNREACHABLE } from "./signature.ts";

/** A folder with a HOOK.md in it. */
export interface FoundHook {
  readonly scope: Scope;
  readonly folder: string;
  readonly file: string;
  readonly known: KnownHook;
}

const NOTHING: readonly FoundHook[] = [];

/**
 * A folder of hook folders. Looking at it costs a stat per hook; a file is read, and only its first lines, when its
 * signature is new. What was learned is kept on disk for the next process.
 */
export class Place {
  readonly #scope: Scope;
  readonly #path: string;
  readonly #cache: string;
  #known: KnownPlace | undefined;
  #found: readonly FoundHook[] = NOTHING;
  #isSaving = false;

  constructor(scope: Scope, path: string, cache: string) {
    this.#scope = scope;
    this.#path = path;
    this.#cache = cache;
    this.#known = readKnownPlace(cache, path);
  }

  /** The hooks here now. The same list as before when nothing has changed. */
  look(): readonly FoundHook[] {
    const signature = signatureOf(this.#path);
    if (signature === undefined) {
      this.#found = NOTHING;
      return this.#found;
    }
    const last = this.#known;
    const isSamePlace = last !== undefined && isSameSignature(last.signature, signature);
    const names = isSamePlace ? last.names : namesIn(this.#path);
    const before = isSamePlace
      ? undefined
      : new Map(last?.names.map((name, index) => [name, last.hooks[index]]));
    let hasChanged = !isSamePlace || this.#found === NOTHING;
    let isNew = !isSamePlace;
    const hooks: (KnownHook | undefined)[] = new Array(names.length);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? "";
      const file = this.#fileOf(name);
      const known = isSamePlace ? last.hooks[index] : before?.get(name);
      if (known !== undefined && isSameSignature(known, signatureOf(file))) {
        hooks[index] = known;
        continue;
      }
      hooks[index] = readHead(file);
      if (known === undefined && hooks[index] === undefined) continue;
      hasChanged = true;
      isNew = true;
    }
    if (!hasChanged) return this.#found;
    this.#known = { signature, names, hooks };
    this.#found = this.#list(names, hooks);
    if (isNew) this.#save();
    return this.#found;
  }

  /** Remembers what the parser said about a hook. */
  learn(known: KnownHook, parsed: ParsedHookFile): void {
    known.parsed = parsed;
    this.#save();
  }

  #list(names: readonly string[], hooks: readonly (KnownHook | undefined)[]): readonly FoundHook[] {
    const found: FoundHook[] = [];
    for (const [index, known] of hooks.entries()) {
      const name = names[index] ?? "";
      if (known === undefined) continue;
      found.push({
        scope: this.#scope,
        folder: `${this.#path}${sep}${name}`,
        file: this.#fileOf(name),
        known,
      });
    }
    return found;
  }

  #fileOf(name: string): string {
    return `${this.#path}${sep}${name}${sep}HOOK.md`;
  }

  /** After the event has been dealt with: nobody should wait for a cache to be written. */
  #save(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    setImmediate(() => {
      this.#isSaving = false;
      if (this.#known !== undefined) writeKnownPlace(this.#cache, this.#path, this.#known);
    });
  }
}

function namesIn(place: string): readonly string[] {
  try {
    // By code unit, so that the order does not depend on the machine's language.
    return readdirSync(place).sort();
  } catch {
    return [];
  }
}

/** Reads the little that must be known of every hook; nothing when there is no such file. */
function readHead(file: string): KnownHook | undefined {
  try {
    const { ino, ctimeMs, frontmatter } = openFrontmatter(file);
    const head = typeof frontmatter === "string" ? undefined : quickHead(frontmatter.yaml);
    return { ino, ctimeMs, head, parsed: undefined };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // There but out of reach: the parser will say so.
    return code === "ENOENT" || code === "ENOTDIR"
      ? undefined
      : { ...UNREACHABLE, head: undefined, parsed: undefined };
  }
}
