import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { giveToParentOwner, makeFolders, readPlainFile, removeUnusedDaily } from "@tenterhook/internal/files";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The files of one session. Nothing here throws: a state folder that is full, read-only or no folder at all must not undo what hooks
 * decide.
 */
export class SessionFiles {
  readonly #folder: string;
  readonly #sessions: string;
  #isMade = false;

  constructor(sessions: string, name: string) {
    this.#sessions = sessions;
    this.#folder = join(sessions, name);
  }

  /** The change time of its folder says when a session was last heard of; to set it once a day is enough. */
  stayInUse(): void {
    try {
      const now = Date.now();
      if (now - statSync(this.#folder).mtimeMs > DAY_MS) utimesSync(this.#folder, now / 1_000, now / 1_000);
    } catch {
      // It is cleared away at worst.
    }
  }

  has(name: string): boolean {
    try {
      return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.isFile() === true;
    } catch {
      return false;
    }
  }

  /** Whether a file was written longer ago than that. One that cannot be seen counts as such. */
  isOlder(name: string, ms: number): boolean {
    try {
      return Date.now() - statSync(join(this.#folder, name)).mtimeMs > ms;
    } catch {
      return true;
    }
  }

  read(name: string): unknown {
    const path = join(this.#folder, name);
    // Most are absent, and to make an exception takes longer than to read a file.
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readPlainFile(path));
    } catch {
      return undefined;
    }
  }

  /** True when the file was not there before. A folder that cannot be written to makes everything new, never taken. */
  create(name: string, text: string): boolean {
    if (!this.#make(name)) return true;
    try {
      writeFileSync(join(this.#folder, name), text, { flag: "wx", mode: 0o600 });
      giveToParentOwner(join(this.#folder, name));
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "EEXIST";
    }
  }

  /** Writes a file whole; false when it cannot be written. */
  write(name: string, text: string): boolean {
    return this.#writeDraft(name, text, renameSync);
  }

  /** Writes a file whole unless it exists; false when this process has not written it. */
  writeFirst(name: string, text: string): boolean {
    return this.#writeDraft(name, text, (draft, path) => {
      linkSync(draft, path);
      unlinkSync(draft);
    });
  }

  /** As `create`, but no process sees a part of the text. */
  createWhole(name: string, text: string): boolean {
    return this.writeFirst(name, text) || (!this.has(name) && this.create(name, text));
  }

  #writeDraft(name: string, text: string, publish: (draft: string, path: string) => void): boolean {
    if (!this.#make(name)) return false;
    // Two processes have the same number where each has a container of its own.
    const draft = `draft-${process.pid}-${process.hrtime()[1]}`;
    try {
      writeFileSync(join(this.#folder, draft), text, { mode: 0o600 });
      giveToParentOwner(join(this.#folder, draft));
      publish(join(this.#folder, draft), join(this.#folder, name));
      return true;
    } catch {
      this.remove(draft);
      return false;
    }
  }

  remove(name: string): void {
    try {
      rmSync(join(this.#folder, name), { recursive: true, force: true });
    } catch {
      // It stays.
    }
  }

  /** Makes the folder that a file is to stand in; false when there can be none. */
  #make(name: string): boolean {
    try {
      if (!this.#isMade) {
        const isNew = makeFolders(this.#folder);
        this.#isMade = true;
        if (isNew) removeUnusedDaily(this.#sessions);
      }
      const at = name.search(/[\\/]/);
      if (at >= 0) makeFolders(join(this.#folder, name.slice(0, at)));
      return true;
    } catch {
      return false;
    }
  }

  /** How many files there are in a folder of the session. */
  count(folder: string): number {
    return this.names(folder).length;
  }

  /** The names of the files in a folder of the session. */
  names(folder: string): readonly string[] {
    return namesIn(join(this.#folder, folder));
  }

  /** The texts of all files in a folder of the session, in the order of their names; each is given to one process only. */
  take(folder: string): readonly string[] {
    const path = join(this.#folder, folder);
    return namesIn(path)
      .sort()
      .flatMap((name) => {
        const kept = `${name}.${process.pid}`;
        try {
          // Of several processes that want it, the one that renames it has it.
          renameSync(join(path, name), join(path, kept));
          const text = readPlainFile(join(path, kept));
          unlinkSync(join(path, kept));
          return [text];
        } catch {
          return [];
        }
      });
  }
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file name for a text from outside. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
