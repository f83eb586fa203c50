import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** What makes two installations different: each has a resident process of its own. */
export interface ResidentOwner {
  readonly version: string;
  readonly node: string;
  /** The bundle's first file. */
  readonly bridge: string;
  readonly home: string;
  readonly configHome: string;
  readonly stateHome: string;
  readonly cacheHome: string;
}

/** The files of a resident process; all have mode 0600. */
export interface ResidentFiles {
  /** Of the user, with mode 0700. */
  readonly folder: string;
  readonly socket: string;
  /** One line: the process and the secrets of this start, see `formatAbout`. Written before the socket listens. */
  readonly about: string;
  /** Claimed exclusively by the process that starts another one. */
  readonly lock: string;
}

/** macOS allows 104 bytes for the path of a socket and Linux 108, the last of them a NUL. */
const LONGEST_SOCKET = 103;

/**
 * The folder of an installation's resident process: in XDG_RUNTIME_DIR if that is the user's alone, else in a folder of the user in
 * /tmp. `install` calculates it once and writes it into the script, because a project can set variables.
 */
export function residentFolder(
  owner: ResidentOwner,
  env: Readonly<Record<string, string | undefined>>,
  uid: number,
): string {
  const { version, node, bridge, home, configHome, stateHome, cacheHome } = owner;
  const parts = [version, node, bridge, home, configHome, stateHome, cacheHome];
  const key = createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16);
  const runtime = env.XDG_RUNTIME_DIR ?? "";
  const isOwn = isAbsolute(runtime) && findFolderProblem(runtime, uid) === undefined;
  return join(isOwn ? join(runtime, "tenterhook") : `/tmp/tenterhook-${uid}`, key);
}

export function residentFiles(folder: string): ResidentFiles {
  return {
    folder,
    socket: join(folder, "socket"),
    about: join(folder, "about"),
    lock: join(folder, "lock"),
  };
}

/** Why a folder cannot have a socket; `undefined` if it can. */
export function findPathProblem(folder: string): string | undefined {
  const bytes = Buffer.byteLength(residentFiles(folder).socket);
  return bytes > LONGEST_SOCKET
    ? `the path of its socket has ${bytes} bytes, and at most ${LONGEST_SOCKET} are possible`
    : undefined;
}

/** Why a folder is not the user's alone; `undefined` if it is. */
export function findFolderProblem(folder: string, uid: number): string | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return `${folder} does not exist`;
  if (stats.isSymbolicLink()) return `${folder} is a link`;
  if (!stats.isDirectory()) return `${folder} is not a folder`;
  if (stats.uid !== uid) return `${folder} belongs to another user`;
  const mode = stats.mode & 0o7777;
  return mode === 0o700 ? undefined : `${folder} has mode 0${mode.toString(8)}, not 0700`;
}

/** Creates the folder and the one above it, if they are missing. Returns why it cannot be used; never throws. */
export function makeResidentFolder(folder: string, uid: number): string | undefined {
  const tooLong = findPathProblem(folder);
  if (tooLong !== undefined) return tooLong;
  for (const path of [join(folder, ".."), folder]) {
    try {
      mkdirSync(path, { mode: 0o700 });
      // The umask may have removed more.
      chmodSync(path, 0o700);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        return `${path} cannot be created: ${(error as Error).message}`;
    }
    const problem = findFolderProblem(path, uid);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
