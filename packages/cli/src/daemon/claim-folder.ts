import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import {
  type About,
  findFolderProblem,
  formatAbout,
  makeResidentFolder,
  type ResidentFiles,
  readAbout,
} from "@tenterhook/bridges/resident";
import { isSameSignature, replacePlainFile, underLock } from "@tenterhook/internal/files";
import { askStatus } from "./ask-status.ts";
import { findPredecessor } from "./end-predecessor.ts";

/** The socket in its place; another process that took the place has another one. */
export interface Claim {
  isOwn(): boolean;
  /** Removes the files, unless they are another process's by now. */
  remove(): void;
}

/**
 * Makes the folder and the files of the resident process, and lets the server listen. Throws when the folder is not the user's alone, and
 * when another resident process answers there. One that does not answer is replaced, and ended.
 */
export async function claimFolder(files: ResidentFiles, about: About, server: Server): Promise<Claim> {
  const uid = process.getuid?.() ?? -1;
  const problem = makeResidentFolder(files.folder, uid);
  if (problem !== undefined) throw new Error(problem);
  return underLock(join(files.folder, "claim"), async () => {
    const other = await askStatus(files);
    if (other.type === "running") throw new Error(`process ${other.pid} answers already`);
    const predecessor = other.type === "silent" ? findPredecessor(other.pid, files) : undefined;
    // Node removes the path that it has listened on when it exits, whichever socket is there then. So this is not the final one.
    const draft = join(files.folder, `new${about.pid}`);
    rmSync(draft, { force: true });
    await listen(server, draft);
    chmodSync(draft, 0o600);
    replacePlainFile(files.about, formatAbout(about));
    // The umask of the first caller may have removed more.
    chmodSync(files.about, 0o600);
    renameSync(draft, files.socket);
    rmSync(files.lock, { force: true });
    predecessor?.end();
    const [folder, socket] = [lstatSync(files.folder), lstatSync(files.socket)];
    const hasSocket = () =>
      lstatSync(files.folder, { throwIfNoEntry: false })?.ino === folder.ino &&
      isSameSignature(lstatSync(files.socket, { throwIfNoEntry: false }), socket);
    return {
      isOwn: () => hasSocket() && findFolderProblem(files.folder, uid) === undefined,
      remove: () => {
        if (!hasSocket()) return;
        rmSync(files.socket, { force: true });
        if (readAbout(files)?.secret === about.secret) rmSync(files.about, { force: true });
      },
    };
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}
