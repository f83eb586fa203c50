import { existsSync } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { unpackFolder } from "./folder-archive.ts";
import { readTemplate } from "./template.ts";
import { Thread } from "./thread.ts";

/**
 * Makes the database's folder, unless it exists. It gets its name when it is complete: a process that is killed here leaves
 * a folder behind that is never opened. The caller holds the folder's lock.
 */
export async function createFolder(folder: string, template = readTemplate): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const packed = await template();
  if (packed === undefined) await initialise(unfinished);
  else await unpackFolder(packed, unfinished);
  // Only the owner may read the database, whatever the parent folder allows.
  await chmod(unfinished, 0o700);
  await rename(unfinished, folder);
}

/** PGlite makes a database in a folder that has none. */
async function initialise(folder: string): Promise<void> {
  const thread = await Thread.start(folder, () => {});
  await thread.close();
}
