import { readFileSync, readlinkSync } from "node:fs";

/** What a process passes on to its children beside folder and environment, by the lines of /proc/PID/status. */
const STATUS =
  /^(?:Umask|Uid|Gid|Groups|NoNewPrivs|Seccomp|Seccomp_filters|Cap(?:Inh|Prm|Eff|Bnd|Amb)):.*$/gm;

const NAMESPACES = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"];

/**
 * Everything that makes a hook run with other rights or limits, as one text to compare: user, groups, umask, resource limits, namespaces,
 * root folder, capabilities, seccomp and security label. `undefined` where it cannot be read: without /proc, or for a process that
 * this one may not look at.
 */
export function readProcessFacts(pid: number): string | undefined {
  const folder = `/proc/${pid}`;
  try {
    const status = readFileSync(`${folder}/status`, "utf8").match(STATUS) ?? [];
    const namespaces = NAMESPACES.map((name) => readlinkSync(`${folder}/ns/${name}`));
    const limits = readFileSync(`${folder}/limits`, "utf8").replace(OPEN_FILES, "$1");
    return [...status, ...namespaces, readlinkSync(`${folder}/root`), label(folder), limits].join("\n");
  } catch {
    return undefined;
  }
}

/** Node raises its soft limit of open files to the hard one when it starts, so only the hard one is compared. */
const OPEN_FILES = /^(Max open files +)\S+ +/m;

/** Systems without security modules have none. These are part of the system's kernel, so that stays as it is. */
function label(folder: string): string {
  if (!hasLabels) return "";
  try {
    return readFileSync(`${folder}/attr/current`, "utf8");
  } catch (error) {
    // To make an exception for every caller takes longer than the rest of its facts.
    if (folder === OWN && (error as NodeJS.ErrnoException).code === "EINVAL") hasLabels = false;
    return "";
  }
}

const OWN = `/proc/${process.pid}`;
let hasLabels = true;
