import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ParsedHookFile } from "../parse/hook-file.ts";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 1;

interface Kept {
  readonly signature: string;
  readonly parsed: ParsedHookFile;
}

/**
 * What HOOK.md files said when they were last read, kept on disk so that a command that starts for every tool call
 * need not parse them again. A file whose signature changed is read anew; a cache that cannot be read is empty.
 */
export class HookCache {
  readonly #path: string;
  readonly #kept: Map<string, Kept>;
  #changed = false;

  private constructor(path: string, kept: Map<string, Kept>) {
    this.#path = path;
    this.#kept = kept;
  }

  /** The cache for a set of places. */
  static open(folder: string, places: readonly (string | undefined)[]): HookCache {
    const key = createHash("sha256")
      .update(JSON.stringify([VERSION, ...places]))
      .digest("hex")
      .slice(0, 16);
    const path = join(folder, `hooks-${key}.json`);
    try {
      const { version, kept } = JSON.parse(readFileSync(path, "utf8"));
      if (version === VERSION) return new HookCache(path, new Map(Object.entries(kept)));
    } catch {
      // Not there yet, or damaged: it will be written anew.
    }
    return new HookCache(path, new Map());
  }

  get(file: string, signature: string): ParsedHookFile | undefined {
    const kept = this.#kept.get(file);
    return kept?.signature === signature ? kept.parsed : undefined;
  }

  set(file: string, signature: string, parsed: ParsedHookFile): void {
    this.#kept.set(file, { signature, parsed });
    this.#changed = true;
  }

  /** Forgets files that are gone and writes what is new. Failing to is no harm: the next start parses again. */
  save(files: ReadonlySet<string>): void {
    for (const file of this.#kept.keys())
      if (!files.has(file)) this.#changed = this.#kept.delete(file) || this.#changed;
    if (!this.#changed) return;
    this.#changed = false;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const draft = `${this.#path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify({ version: VERSION, kept: Object.fromEntries(this.#kept) }), {
        mode: 0o600,
      });
      renameSync(draft, this.#path);
    } catch {
      this.#changed = true;
    }
  }
}
