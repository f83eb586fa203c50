import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { HookFile } from "@tenterhook/protocol";
import { isSameSignature, type Signature, signatureOf } from "../discover/signature.ts";
import { hashFolder } from "./folder-hash.ts";

/** A hook as it was when it was trusted. What it could refuse then is kept, because it may be gone when we need to know. */
export interface TrustedHook {
  readonly folder: string;
  readonly hash: string;
  readonly hook: HookFile;
  readonly trustedAt: string;
}

interface Content {
  readonly version: 1;
  /** By folder. */
  readonly hooks: Readonly<Record<string, TrustedHook>>;
  /** The text of a project's hooks.toml as it was trusted, by its path. */
  readonly tomls: Readonly<Record<string, string>>;
}

const EMPTY: Content = { version: 1, hooks: {}, tomls: {} };

/** What the user has trusted. Read when needed and written whole, so that two commands cannot spoil it for each other. */
export class TrustStore {
  readonly #path: string;
  #last: { readonly signature: Signature | undefined; readonly content: Content } | undefined;

  constructor(state: string) {
    this.#path = join(state, "trust.json");
  }

  get path(): string {
    return this.#path;
  }

  list(): readonly TrustedHook[] {
    return Object.values(this.#read().hooks);
  }

  get(folder: string): TrustedHook | undefined {
    const { hooks } = this.#read();
    return Object.hasOwn(hooks, folder) ? hooks[folder] : undefined;
  }

  /**
   * The hooks trusted in a folder's project and in all projects around it, whether or not they are still there: neither
   * removing `.agents` nor putting another one closer takes them out of force.
   */
  covering(cwd: string): readonly TrustedHook[] {
    return this.list().filter(({ folder }) => isInside(cwd, projectOf(folder)));
  }

  toml(file: string): string | undefined {
    const { tomls } = this.#read();
    return Object.hasOwn(tomls, file) ? tomls[file] : undefined;
  }

  /** Trusts a hook's folder as it is now. Throws when the folder cannot be trusted. */
  trust(folder: string, hook: HookFile, now: Date = new Date()): TrustedHook {
    const trusted = { folder, hash: hashFolder(folder), hook, trustedAt: now.toISOString() };
    const content = this.#read();
    this.#write({ ...content, hooks: { ...content.hooks, [folder]: trusted } });
    return trusted;
  }

  /** Trusts a project's hooks.toml as it is now; without a text, that there is none. */
  trustToml(file: string, text: string | undefined): void {
    const content = this.#read();
    const { [file]: _, ...others } = content.tomls;
    this.#write({ ...content, tomls: text === undefined ? others : { ...others, [file]: text } });
  }

  /** Takes trust back; false when there was none. */
  revoke(folder: string): boolean {
    const content = this.#read();
    if (!Object.hasOwn(content.hooks, folder)) return false;
    const { [folder]: _, ...others } = content.hooks;
    this.#write({ ...content, hooks: others });
    return true;
  }

  /** What tells whether anything was trusted or revoked since. */
  get signature(): Signature | undefined {
    return signatureOf(this.#path);
  }

  #read(): Content {
    const { signature } = this;
    if (this.#last !== undefined && isSameSignature(this.#last.signature, signature))
      return this.#last.content;
    const content = readContent(this.#path);
    this.#last = { signature, content };
    return content;
  }

  #write(content: Content): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
  }
}

/** A store that is damaged trusts nothing: the hooks are then reported as never trusted. */
function readContent(path: string): Content {
  try {
    const content = JSON.parse(readFileSync(path, "utf8")) as Content;
    return content.version === 1 ? content : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** The project of a hook's folder, `<project>/.agents/hooks/<name>`. */
function projectOf(folder: string): string {
  return dirname(dirname(dirname(folder)));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
