import { spawnSync } from "node:child_process";
import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CommandFiles } from "@tenterhook/commands";

/** For all that one call is asked about: a hook waits for it. */
const MAX_GIT_MS = 2_000;
const MAX_PROCESSES = 8;

/** The files of this machine, for one call in a folder. */
export function createFiles(workDir: string): CommandFiles {
  const ignored = new Map<string, boolean | undefined>();
  let deadline: number | undefined;
  return {
    realPath: findRealPath,
    isFolder: (path) => attempt(() => statSync(path).isDirectory()),
    exists: (path) => attempt(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
    isIgnored(path) {
      if (ignored.has(path)) return ignored.get(path);
      deadline ??= performance.now() + MAX_GIT_MS;
      const left = Math.ceil(deadline - performance.now());
      const answer = left <= 0 || ignored.size >= MAX_PROCESSES ? undefined : askGit(path, workDir, left);
      ignored.set(path, answer);
      return answer;
    },
  };
}

/** Of a path that does not exist, the links of its folders are followed. */
function findRealPath(path: string): string | undefined {
  const missing: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const real = attempt(() => realpathSync.native(folder));
    if (real !== undefined) return join(real, ...missing);
    if (dirname(folder) === folder) return undefined;
    missing.unshift(basename(folder));
  }
}

/** Whether git ignores a path; `undefined` if it cannot say that in time. No program that the repository names is started. */
function askGit(path: string, cwd: string, timeout: number): boolean | undefined {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const args = ["--no-optional-locks", "-c", "core.fsmonitor=false", "check-ignore", "-q", "--", path];
  const options = { cwd, env, timeout, killSignal: "SIGKILL", stdio: "ignore", windowsHide: true } as const;
  // It throws for a path that no argument can have.
  const status = attempt(() => spawnSync("git", args, options).status);
  return status === 0 ? true : status === 1 ? false : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
