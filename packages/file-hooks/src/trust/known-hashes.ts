import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { isReliable, isSameSignature, type Signature } from "@tenterhook/internal/files";
import { hashFolder, walkFolder } from "./folder-hash.ts";

interface Known {
  readonly hash: string;
  /** Of the folder itself, which may be a link to one. */
  readonly root: Signature;
  /** Of everything in it. A folder's own changes when a name is added or removed, so the names need not be listed again. */
  readonly inside: ReadonlyMap<string, Signature>;
}

/** Hashes of folders, each made again only when something in the folder has changed. */
export class KnownHashes {
  readonly #known = new Map<string, Known>();

  /** Throws when the folder cannot be hashed. */
  of(folder: string): string {
    const known = this.#known.get(folder);
    if (known !== undefined && isUnchanged(folder, known)) return known.hash;
    this.#known.delete(folder);
    // Before hashing: a change in between shows next time.
    const signatures = readSignatures(folder);
    const hash = hashFolder(folder);
    if (signatures !== undefined) this.#known.set(folder, { ...signatures, hash });
    return hash;
  }
}

function isUnchanged(folder: string, { root, inside }: Known): boolean {
  if (!isSameSignature(root, statSync(folder, { throwIfNoEntry: false }))) return false;
  for (const [path, signature] of inside) {
    if (!isSameSignature(signature, lstatSync(path, { throwIfNoEntry: false }))) return false;
  }
  return true;
}

/** Absent where signatures would not show every change: one is too new, or a link may lead to something outside. */
function readSignatures(folder: string): Omit<Known, "hash"> | undefined {
  const root = statSync(folder);
  const inside = new Map<string, Signature>();
  let isReliableForAll = isReliable(root);
  walkFolder(folder, (path, stats) => {
    inside.set(join(folder, path), { ino: stats.ino, ctimeMs: stats.ctimeMs });
    isReliableForAll &&= isReliable(stats) && !stats.isSymbolicLink();
  });
  return isReliableForAll ? { root: { ino: root.ino, ctimeMs: root.ctimeMs }, inside } : undefined;
}
