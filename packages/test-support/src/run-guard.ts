import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

/** The variable that every process of a run inherits. Its value is the run's folder. */
const RUN = "TENTERHOOK_RUN";
/** A file in the run's folder that lists folders of the run which had to be made elsewhere. */
const ELSEWHERE = "folders-elsewhere";

/** A shell's command that prints a file of each process of the run `$1`, on Linux. */
const OWNED_PROCESSES = `grep -lsFxz "${RUN}=$1" /proc/[0-9]*/environ`;

// Waits until the run is gone (its end of the pipe is closed), then ends what it has left and removes its folders.
const SCRIPT = `
cat > /dev/null
owned() {
  if [ -d /proc/self ]; then ${OWNED_PROCESSES} | cut -d/ -f3
  else ps -Aeww -o pid=,command= | grep -F "${RUN}=$1" | grep -v grep | awk '{ print $1 }'
  fi
}
for signal in TERM KILL; do
  left=$(owned "$1")
  [ -n "$left" ] || break
  for each in $left; do kill -s $signal "$each" 2> /dev/null; done
  for each in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(owned "$1")" ] && break; sleep 0.2; done
done
if [ -f "$1/${ELSEWHERE}" ]; then
  while read -r folder; do case "$folder" in */tenterhook-*) rm -rf "$folder";; esac; done < "$1/${ELSEWHERE}"
fi
rm -rf "$1"
`;

/**
 * Makes sure that a run of tests or benchmarks leaves nothing behind, also when it is killed: its temporary files go into one folder,
 * its processes can be recognised, and a small process outlives the run to end and remove them. Does nothing inside another run, and
 * on Windows.
 */
export function guardRun(): void {
  if (process.platform === "win32" || process.env[RUN] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-run-"));
  // Servers that refuse to run as root have an account of their own, which must be able to pass.
  chmodSync(folder, 0o711);
  const { TENTERHOOK_RUN: _, ...env } = process.env;
  const guard = spawn("/bin/sh", ["-c", SCRIPT, "sh", folder], {
    cwd: "/",
    env,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  process.env[RUN] = folder;
  process.env.TMPDIR = folder;
}

/** Lists a folder that could not be made inside the run's, so that it is removed with the run. */
export function ownFolder(folder: string): void {
  const run = process.env[RUN];
  if (run !== undefined && !folder.startsWith(run)) appendFileSync(join(run, ELSEWHERE), `${folder}\n`);
}

/** The processes of this run beside this one, as `ps` shows them. Empty where the system has no `/proc`. */
export function processesOfRun(): readonly string[] {
  const run = process.env[RUN];
  if (run === undefined || process.platform !== "linux") return [];
  const script = `${OWNED_PROCESSES} | cut -d/ -f3`;
  const found = execFileSync("/bin/sh", ["-c", script, "sh", run], { encoding: "utf8", env: {} });
  const pids = found.split("\n").filter((pid) => pid !== "" && Number(pid) !== process.pid);
  if (pids.length === 0) return [];
  try {
    const shown = execFileSync("ps", ["-ww", "-o", "pid=,args=", "-p", pids.join(",")], {
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });
    return shown.split("\n").filter((line) => line.trim() !== "");
  } catch {
    // They have ended meanwhile, or there is no `ps`.
    return pids.filter((pid) => isAlive(Number(pid)));
  }
}
