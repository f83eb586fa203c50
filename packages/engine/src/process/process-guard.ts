import { type ChildProcessByStdio, spawn } from "node:child_process";
import { uptime } from "node:os";
import type { Writable } from "node:stream";

/** Where processes can be found by what they are. Elsewhere the guard ends only those whose ids it was sent. */
const HAS_PROC = process.platform === "linux";

// Reads a list of process groups from standard input, and ends them when that is closed, because then the parent is gone.
// A shell and not Node, because it waits beside every runner and is a hundredth of its size.
//
// "? 123" announces a process that is started now, at 123 hundredths of a second since the system was; "+" and its id follows, or "+" alone
// if it could not be started. A parent that was killed between the two has left a process that only /proc knows: the leader of a
// session, not older than that, whose parent is now that of this shell, with pipes of Node (sockets) as its input and output, which a guard
// does not have, or with a variable of Tenterhook.
const SCRIPT = `
groups=
since=
while read -r sign value; do
  case $sign in
    '?') since=$value; continue ;;
    +) since= groups="$groups $value"; continue ;;
  esac
  others=
  for each in $groups; do [ "$each" = "$value" ] || others="$others $each"; done
  groups=$others
done
started_meanwhile() {
  read -r stat <"/proc/$1/stat" || return
  set -- "$1" \${stat##*) }
  [ "$4" = "$1" ] && [ "$5" = "$1" ] && [ "\${21}" -ge "$since" ] || return
  read -r own <"/proc/$$/stat"
  own=\${own##*) ? }
  [ "$3" = "$PPID" ] || [ "$3" = "\${own%% *}" ] || return
  [ -S "/proc/$1/fd/0" ] && [ -S "/proc/$1/fd/1" ] || tr '\\0' '\\n' <"/proc/$1/environ" | grep -q '^TENTERHOOK_SESSION_ID='
}
[ -z "$since" ] || for process in /proc/[0-9]*; do
  if started_meanwhile "\${process#/proc/}"; then groups="$groups \${process#/proc/}"; fi
done
[ -n "$groups" ] || exit 0
for each in $groups; do kill -s TERM -- "-$each"; done
sleep 1
for each in $groups; do kill -s KILL -- "-$each"; done
`;

/**
 * Ends process groups when this process is killed in a way that it cannot notice, as by `kill -9`. It is a process of its
 * own, begun before the first process that it is to watch. POSIX only.
 */
export class ProcessGuard {
  readonly #groups = new Set<number>();
  /** Groups that have ended and that it has not been informed of. */
  #ended = "";
  #process: ChildProcessByStdio<Writable, null, null> | undefined;
  /** When `performance.now()` was 0, in milliseconds since the system's start; too early if the system has slept since. */
  readonly #origin = uptime() * 1_000 - performance.now();

  /** A process is started now, and `watch` follows at once: this process could be killed between the two. It never throws. */
  expect(): void {
    this.#start();
    if (HAS_PROC) this.#write(`? ${Math.floor((this.#origin + performance.now()) / 10)}\n`);
  }

  /** None was started. */
  expectNone(): void {
    if (HAS_PROC) this.#write("+\n");
  }

  /** Watches a group, by the id of its first process. Returns the function that stops watching. It never throws. */
  watch(pid: number): () => void {
    this.#groups.add(pid);
    if (this.#process === undefined) this.#start();
    else this.#write(`+ ${pid}\n`);
    return () => {
      if (this.#groups.delete(pid)) this.#remove(pid);
    };
  }

  /** Soon, not at once: an agent waits for what has just ended. */
  #remove(pid: number): void {
    if (this.#ended === "") setImmediate(() => this.#write(""));
    this.#ended += `- ${pid}\n`;
  }

  #write(line: string): void {
    const lines = this.#ended + line;
    this.#ended = "";
    if (lines !== "") this.#process?.stdin.write(lines);
  }

  /** Starts it, unless it runs. */
  #start(): void {
    if (this.#process !== undefined) return;
    const started = startShell();
    if (started === undefined) return;
    this.#process = started;
    // It was ended, or there is no shell. The next group starts another one, which watches all of them.
    const forget = () => {
      if (this.#process === started) this.#process = undefined;
    };
    started.once("error", forget).once("exit", forget).unref();
    started.stdin.on("error", forget);
    // Neither is a reason to stay alive.
    (started.stdin as Writable & { unref?(): void }).unref?.();
    this.#ended = "";
    for (const pid of this.#groups) started.stdin.write(`+ ${pid}\n`);
  }
}

/** `undefined` when no process can be started: then the next group tries again. */
function startShell(): ChildProcessByStdio<Writable, null, null> | undefined {
  try {
    // In a group of its own and in the root folder: what ends this process must not end it too.
    const started = spawn("/bin/sh", ["-c", SCRIPT], {
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    // Without a free file descriptor there is no pipe, whatever the types say, and an error follows.
    if ((started.stdin as Writable | undefined) !== undefined) return started;
    started.once("error", () => undefined);
    return undefined;
  } catch {
    return undefined;
  }
}
