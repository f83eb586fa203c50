import { randomUUID } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders, removeUnused } from "@tenterhook/internal/files";
import { type Environment, temporaryFor } from "../discover/locations.ts";
import { hashFolder, hashIfPossible, partsOf, unfit } from "./folder-hash.ts";
import { KnownHashes } from "./known-hashes.ts";

/** Ends Node's search for a package.json above a copy. It states no module type, so a script's own syntax decides. */
const PACKAGE = "{}\n";

/**
 * Copies of hooks' folders, named by their hash and readable by the user only. What was hashed is what runs: a file
 * that is changed between the check and the start is not the one that is started.
 */
export class PrivateCopies {
  readonly #preferred: string;
  readonly #env: Environment;
  #root: string | undefined;
  readonly #hashes = new KnownHashes();
  readonly #touched = new Set<string>();

  /** `state`: the state folder of Tenterhook. `env` says where temporary folders are. Default: that of this process. */
  constructor(state: string, env: Environment = process.env) {
    this.#preferred = join(state, "copies");
    this.#env = env;
  }

  /** Copies a folder as it is now and returns its hash. Throws when the folder cannot be hashed. */
  make(folder: string): string {
    const root = this.#writableRoot();
    const draft = join(root, `draft-${randomUUID()}`);
    mkdirSync(draft, { mode: 0o700 });
    try {
      const hash = hashFolder(folder, ({ path, kind, isExecutable, content }) => {
        const full = join(draft, path);
        mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
        if (kind === "link") symlinkSync(content.toString(), full);
        else writeFileSync(full, content, { mode: isExecutable ? 0o500 : 0o400 });
      });
      // A link may have led out of the folder and in again by its name, which the copy does not have.
      partsOf(draft);
      this.#put(draft, join(root, hash), hash);
      removeUnused(root);
      return hash;
    } catch (error) {
      remove(draft);
      throw error;
    }
  }

  /** The copy of a folder that had this hash; made again when it is missing or damaged. Throws when it cannot be. */
  of(folder: string, hash: string): string {
    for (const root of this.#roots()) {
      const copy = join(root, hash);
      if (this.#isWhole(root, copy, hash)) return copy;
    }
    if (this.make(folder) !== hash) throw unfit(`${folder} was changed while it was being read`);
    return join(this.#writableRoot(), hash);
  }

  /** Removes the copy with this hash, and those that no process has used for a long time. */
  remove(hash: string): void {
    for (const root of this.#roots()) {
      remove(join(root, hash));
      removeUnused(root);
    }
  }

  #roots(): readonly string[] {
    return this.#root === undefined || this.#root === this.#preferred
      ? [this.#preferred]
      : [this.#preferred, this.#root];
  }

  #isWhole(root: string, copy: string, hash: string): boolean {
    try {
      if (this.#hashes.of(copy) !== hash || !isPrepared(root)) return false;
      this.#touch(copy);
      return true;
    } catch {
      return false;
    }
  }

  /** Marks the copy as in use, once per process. */
  #touch(copy: string): void {
    if (this.#touched.has(copy)) return;
    this.#touched.add(copy);
    try {
      const now = new Date();
      utimesSync(copy, now, now);
    } catch {
      // A read-only state folder keeps what it has.
    }
  }

  #put(draft: string, copy: string, hash: string): void {
    try {
      renameSync(draft, copy);
      return;
    } catch {
      // There is one already, perhaps of another process that does the same.
    }
    if (hashIfPossible(copy) !== hash) {
      const damaged = join(dirname(copy), `draft-${randomUUID()}`);
      renameSync(copy, damaged);
      renameSync(draft, copy);
      remove(damaged);
    }
    remove(draft);
  }

  /** The state folder, or a temporary one where that cannot be written. */
  #writableRoot(): string {
    if (this.#root !== undefined && isPrepared(this.#root)) return this.#root;
    try {
      this.#root = prepare(this.#preferred);
    } catch {
      this.#root = prepare(temporaryFor(this.#preferred, "tenterhook-copies-", this.#env));
    }
    return this.#root;
  }
}

function prepare(root: string): string {
  makeFolders(root);
  chmodSync(root, 0o700);
  writeFileSync(join(root, "package.json"), PACKAGE, { mode: 0o600 });
  return root;
}

/** Whether the package.json is what it must be. */
function isPrepared(root: string): boolean {
  try {
    return readFileSync(join(root, "package.json"), "utf8") === PACKAGE;
  } catch {
    return false;
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
