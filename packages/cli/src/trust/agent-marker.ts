import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { loadClients } from "@tenterhook/bridges/clients";

/** Agents that no bridge serves, and our own hooks. */
const OTHERS = ["CURSOR_AGENT", "TENTERHOOK_EVENT", "TENTERHOOK_HOOK_DIR", "TENTERHOOK_AGENT"];

/** What shows that an agent or a hook runs this process, if any: a variable, or a parent process. */
export async function agentMarker(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const known = (await loadClients()).map(({ environment }) => environment);
  const markers = [...OTHERS, ...known.flatMap((each) => each.markers)];
  const settings = known.flatMap((each) => each.settings);
  const name = Object.keys(env).find(
    (each) => env[each] && isAmong(markers, each) && !isAmong(settings, each),
  );
  if (name !== undefined) return `${name} is set`;
  const program = programAbove(new Set(known.flatMap((each) => each.programs ?? [])));
  return program === undefined ? undefined : `${program} started this`;
}

/** Whether a variable is listed, itself or by its beginning and `*`. */
function isAmong(names: readonly string[], variable: string): boolean {
  return names.some((name) =>
    name.endsWith("*") ? variable.startsWith(name.slice(0, -1)) : variable === name,
  );
}

/** The most parents that are checked. */
const MAX_PARENTS = 40;

/** The first of these programs among the processes that this one was started by. */
function programAbove(names: ReadonlySet<string>): string | undefined {
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
