import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import type { QuickHead } from "../parse/quick-head.ts";
import type { Signature } from "./signature.ts";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 1;

/** What is known about one HOOK.md as it was when it had this signature. */
export interface KnownHook extends Signature {
  /** Absent when only the parser can tell. */
  readonly head: QuickHead | undefined;
  parsed: ParsedHookFile | undefined;
}

/** What is known about a place full of hooks: the folders in it, as of its signature, and the hooks in them. */
export interface KnownPlace {
  readonly signature: Signature;
  /** All names in the place, sorted; those without a HOOK.md are known as `undefined`. */
  readonly names: readonly string[];
  readonly hooks: (KnownHook | undefined)[];
}

/** A place on disk. Flat lists, because a thousand small objects take longer to read than a thousand files to stat. */
interface KeptPlace {
  readonly version: number;
  readonly signature: readonly [ino: number, ctimeMs: number];
  readonly names: readonly string[];
  /** Two numbers per name, or -2 where there is no HOOK.md. */
  readonly signatures: readonly number[];
  /** The hook's name where it differs from its folder's, and null where the head could not be read quickly. */
  readonly heads: readonly (string | null | 0)[];
  readonly triggers: readonly string[];
  /** What was parsed, as JSON; read only for the hooks that an event concerns. */
  readonly parsed: Readonly<Record<string, string>>;
}

/** Reads what was kept about a place; nothing when it was never kept, or is damaged. */
export function readKnownPlace(folder: string, place: string): KnownPlace | undefined {
  try {
    const kept = JSON.parse(readFileSync(pathFor(folder, place), "utf8")) as KeptPlace;
    if (kept.version !== VERSION) return undefined;
    const [ino, ctimeMs] = kept.signature;
    const hooks = kept.names.map((name, index) => hookAt(kept, name, index));
    return { signature: { ino, ctimeMs }, names: kept.names, hooks };
  } catch {
    return undefined;
  }
}

/** Keeps what is known about a place. Failing to is no harm: the next start reads the files again. */
export function writeKnownPlace(
  folder: string,
  place: string,
  { signature, names, hooks }: KnownPlace,
): void {
  const kept: KeptPlace = {
    version: VERSION,
    signature: [signature.ino, signature.ctimeMs],
    names,
    signatures: hooks.flatMap((hook) => (hook === undefined ? [-2, -2] : [hook.ino, hook.ctimeMs])),
    heads: hooks.map((hook, index) =>
      hook?.head === undefined ? null : hook.head.name === names[index] ? 0 : hook.head.name,
    ),
    triggers: hooks.map((hook) => hook?.head?.trigger ?? ""),
    parsed: Object.fromEntries(
      hooks.flatMap((hook, index) => {
        const text = hook instanceof KeptHook ? hook.text : hook?.parsed && JSON.stringify(hook.parsed);
        return text === undefined ? [] : [[names[index], text]];
      }),
    ),
  };
  try {
    const path = pathFor(folder, place);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A read-only home, say.
  }
}

function pathFor(folder: string, place: string): string {
  return join(folder, `hooks-${createHash("sha256").update(place).digest("hex").slice(0, 16)}.json`);
}

function hookAt(kept: KeptPlace, name: string, index: number): KnownHook | undefined {
  const ino = kept.signatures[2 * index] ?? -2;
  return ino === -2 ? undefined : new KeptHook(kept, name, index, ino, kept.signatures[2 * index + 1] ?? -2);
}

/** A hook from the cache; what was parsed is only read when somebody asks for it. */
class KeptHook implements KnownHook {
  readonly ino: number;
  readonly ctimeMs: number;
  readonly #kept: KeptPlace;
  readonly #name: string;
  readonly #index: number;
  #parsed: ParsedHookFile | undefined;

  constructor(kept: KeptPlace, name: string, index: number, ino: number, ctimeMs: number) {
    this.ino = ino;
    this.ctimeMs = ctimeMs;
    this.#kept = kept;
    this.#name = name;
    this.#index = index;
  }

  get head(): QuickHead | undefined {
    const head = this.#kept.heads[this.#index];
    if (head === null || head === undefined) return undefined;
    return { name: head === 0 ? this.#name : head, trigger: this.#kept.triggers[this.#index] ?? "" };
  }

  get parsed(): ParsedHookFile | undefined {
    if (this.#parsed !== undefined) return this.#parsed;
    const { text } = this;
    if (text !== undefined) this.#parsed = JSON.parse(text) as ParsedHookFile;
    return this.#parsed;
  }

  set parsed(parsed: ParsedHookFile | undefined) {
    this.#parsed = parsed;
  }

  /** What to write back; what was never looked at is not taken apart for it. */
  get text(): string | undefined {
    if (this.#parsed !== undefined) return JSON.stringify(this.#parsed);
    return Object.hasOwn(this.#kept.parsed, this.#name) ? this.#kept.parsed[this.#name] : undefined;
  }
}
