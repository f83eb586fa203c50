import { createHash, randomUUID } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { giveToParentOwner, makeFolders } from "@tenterhook/internal/files";
import { errorAbout } from "./write-file.ts";

/** How long a replaced version is kept: a running process may still load its files. */
const KEPT_MS = 60 * 60 * 1000;

/** Copies the bridge's bundle to a folder that is named after what is in it; returns its first file. */
export function copyBundle(source: string, folder: string, version: string): string {
  const digest = computeDigest(source);
  if (digest === undefined)
    throw new Error(`${source} contains no bridge; build it, or install tenterhook again`);
  const target = join(folder, `${version}-${digest}`);
  makeFolders(folder);
  if (computeDigest(target) !== digest) {
    const draft = join(folder, `.new-${randomUUID()}`);
    try {
      mkdirSync(draft, { mode: 0o700 });
      giveToParentOwner(draft);
      for (const name of filesIn(source)) {
        copyFileSync(join(source, name), join(draft, name));
        giveToParentOwner(join(draft, name));
      }
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw errorAbout(target, error);
    }
    // A damaged copy is replaced.
    if (existsSync(target)) renameSync(target, join(folder, `.old-${randomUUID()}`));
    renameSync(draft, target);
  }
  return join(target, "bridge.js");
}

/** Whether a copy is complete: the folder's name has the digest of its files. */
export function isWholeBundle(folder: string): boolean {
  return folder.endsWith(`-${computeDigest(folder)}`);
}

/** Removes versions that nothing starts any more. */
export function removeOldBundles(folder: string, current: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isDraft = name.startsWith(".new-") || name.startsWith(".old-");
    const isBundle = isDraft || existsSync(join(path, "bridge.js"));
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!isBundle || stats === undefined || current.startsWith(`${path}/`) || now - stats.mtimeMs < KEPT_MS)
      continue;
    rmSync(path, { recursive: true, force: true });
  }
}

function computeDigest(folder: string): string | undefined {
  if (!existsSync(join(folder, "bridge.js"))) return undefined;
  const hash = createHash("sha256");
  for (const name of filesIn(folder))
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update("\0");
  return hash.digest("hex").slice(0, 12);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
