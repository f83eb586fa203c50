import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import type { QuickHead } from "../parse/quick-head.ts";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = "tenterhook-hooks-1";

/** What is known about one HOOK.md as it was when it had this signature. */
export interface KnownHook {
  readonly signature: string;
  /** Absent when only the parser can tell. */
  readonly head: QuickHead | undefined;
  parsed: ParsedHookFile | undefined;
}

/**
 * What HOOK.md files said when they were last read, kept on disk so that a command that starts for every tool call
 * need not read them again. A line a hook, and what was parsed is read back only for the hooks an event concerns.
 */
export class HookCache {
  readonly #path: string;
  readonly #lines: Map<string, string>;
  readonly #known = new Map<string, KnownHook>();
  #changed = false;

  private constructor(path: string, lines: Map<string, string>) {
    this.#path = path;
    this.#lines = lines;
  }

  /** The cache for a set of places. One that is not there, or damaged, is empty. */
  static open(folder: string, places: readonly (string | undefined)[]): HookCache {
    const key = createHash("sha256").update(JSON.stringify(places)).digest("hex").slice(0, 16);
    const path = join(folder, `hooks-${key}.tsv`);
    const lines = new Map<string, string>();
    try {
      const [version, ...rest] = readFileSync(path, "utf8").split("\n");
      if (version === VERSION) for (const line of rest) lines.set(line.slice(0, line.indexOf("\t")), line);
    } catch {
      // Not there yet: it will be written.
    }
    return new HookCache(path, lines);
  }

  /** What is known about a file that still has this signature. */
  get(file: string, signature: string): KnownHook | undefined {
    const known = this.#known.get(file);
    if (known !== undefined) return known.signature === signature ? known : undefined;
    const line = this.#lines.get(file);
    if (line === undefined) return undefined;
    const read = readLine(line);
    if (read?.signature !== signature) return undefined;
    this.#known.set(file, read);
    return read;
  }

  set(file: string, known: KnownHook): void {
    this.#known.set(file, known);
    this.#changed = true;
  }

  setParsed(known: KnownHook, parsed: ParsedHookFile): void {
    known.parsed = parsed;
    this.#changed = true;
  }

  /** Writes what is new, and forgets files that are gone. Failing to is no harm: the next start reads them again. */
  save(files: readonly string[]): void {
    if (!this.#changed) return;
    this.#changed = false;
    const lines = files.flatMap((file) => {
      const known = this.#known.get(file);
      return known === undefined ? (this.#lines.get(file) ?? []) : writeLine(file, known);
    });
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const draft = `${this.#path}.${process.pid}`;
      writeFileSync(draft, [VERSION, ...lines].join("\n"), { mode: 0o600 });
      renameSync(draft, this.#path);
    } catch {
      this.#changed = true;
    }
  }
}

function writeLine(file: string, { signature, head, parsed }: KnownHook): string | readonly string[] {
  // A path that would break the format is not worth a better one.
  if (/[\t\n]/.test(file)) return [];
  return [file, signature, head?.name ?? "", head?.trigger ?? "", parsed === undefined ? "" : JSON.stringify(parsed)].join("\t");
}

function readLine(line: string): KnownHook | undefined {
  const [, signature = "", name = "", trigger = "", parsed = ""] = line.split("\t");
  let read: ParsedHookFile | undefined;
  return {
    signature,
    head: name === "" ? undefined : { name, trigger },
    get parsed() {
      if (read === undefined && parsed !== "") read = JSON.parse(parsed) as ParsedHookFile;
      return read;
    },
    set parsed(value) {
      read = value;
    },
  };
}
