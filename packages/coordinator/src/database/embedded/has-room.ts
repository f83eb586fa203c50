import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PROBE_BYTES = 1024 * 1024;

/** Whether a folder's disk has room for this user, within quotas and limits: only an attempt shows it. */
export async function hasRoom(folder: string): Promise<boolean> {
  const probe = join(folder, "database.room");
  try {
    await writeFile(probe, Buffer.alloc(PROBE_BYTES, "x"), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true });
  }
}
