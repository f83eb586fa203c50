import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How often old folders are deleted. */
const TIDY_MS = 60 * 60 * 1_000;

export interface WorkFoldersOptions {
  /** Contains a folder for each session. */
  readonly dataDir: string;
  /** One folder for all sessions, which is never deleted. */
  readonly workDir?: string | undefined;
  /** Folders of sessions that had no run for so many days are deleted. */
  readonly keepDays: number;
}

/** The folders that runs work in: one for each session, so that its next run finds the files of the last one. */
export class WorkFolders {
  readonly #folders: string;
  readonly #workDir: string | undefined;
  readonly #keepMs: number;
  readonly #inUse = new Map<string, number>();
  #tidiedAt = Number.NEGATIVE_INFINITY;

  constructor({ dataDir, workDir, keepDays }: WorkFoldersOptions) {
    this.#folders = join(dataDir, "work");
    this.#workDir = workDir;
    this.#keepMs = keepDays * DAY_MS;
  }

  /** The folder of a session by its plain name, made when it is new. `isTemporary` is for sessions that are never resumed. */
  async open(name: string, isTemporary: boolean): Promise<{ readonly path: string; close(): Promise<void> }> {
    if (this.#workDir !== undefined) {
      await mkdir(this.#workDir, { recursive: true });
      return { path: this.#workDir, close: async () => undefined };
    }
    const path = join(this.#folders, name);
    await mkdir(path, { recursive: true, mode: 0o700 });
    this.#inUse.set(name, (this.#inUse.get(name) ?? 0) + 1);
    await this.#tidy();
    const close = async () => {
      const others = (this.#inUse.get(name) ?? 1) - 1;
      if (others > 0) this.#inUse.set(name, others);
      else this.#inUse.delete(name);
      if (isTemporary && others === 0) await rm(path, { recursive: true, force: true });
      // The age counts from the last run, not from the last file that was made.
      else await utimes(path, new Date(), new Date()).catch(() => undefined);
    };
    return { path, close };
  }

  /** Deletes old folders. One that cannot be deleted is tried again another time: no run fails for it. */
  async #tidy(): Promise<void> {
    const now = Date.now();
    if (now - this.#tidiedAt < TIDY_MS) return;
    this.#tidiedAt = now;
    for (const name of await readdir(this.#folders).catch(() => [])) {
      if (this.#inUse.has(name)) continue;
      const path = join(this.#folders, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
      if (now - mtimeMs > this.#keepMs)
        await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
