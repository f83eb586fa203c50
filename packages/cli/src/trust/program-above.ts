import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** The most parents that are checked. */
const MAX_PARENTS = 40;

/** The first of these programs among the processes that this one was started by. */
export function programAbove(names: ReadonlySet<string>): string | undefined {
  let pid = process.ppid;
  for (let depth = 0; depth < MAX_PARENTS && pid > 1; depth++) {
    const parent = readProcess(pid);
    if (parent === undefined) return undefined;
    const name = parent.words
      .slice(0, 2)
      .map((word) => basename(word))
      .find((word) => names.has(word));
    if (name !== undefined) return name;
    pid = parent.ppid;
  }
  return undefined;
}

interface ProcessInfo {
  readonly ppid: number;
  /** The first words of its command line. */
  readonly words: readonly string[];
}

function readProcess(pid: number): ProcessInfo | undefined {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The program's name is in brackets, and may contain any character.
      const ppid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return { ppid, words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") };
    }
    if (process.platform === "win32") return undefined;
    const line = execFileSync("/bin/ps", ["-o", "ppid=,command=", "-p", String(pid)], {
      encoding: "utf8",
    }).trim();
    const [ppid = "0", ...words] = line.split(/\s+/);
    return { ppid: Number(ppid), words };
  } catch {
    return undefined;
  }
}
