import { folderSignature, hashFolder } from "./folder-hash.ts";

/** Hashes of folders, each made again only when something in the folder has changed. */
export class KnownHashes {
  readonly #known = new Map<string, { readonly signature: string; readonly hash: string }>();

  /** Throws when the folder cannot be hashed. */
  of(folder: string): string {
    const signature = folderSignature(folder);
    const known = this.#known.get(folder);
    if (known?.signature === signature) return known.hash;
    const hash = hashFolder(folder);
    // Taken before hashing: a change in between shows next time.
    this.#known.set(folder, { signature, hash });
    return hash;
  }
}
