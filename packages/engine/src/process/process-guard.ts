import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Writable } from "node:stream";

// Reads a list of process groups from standard input, and ends them when that is closed, because then the parent is gone.
// A shell and not Node, because it waits beside every runner and is a hundredth of its size.
const SCRIPT = `
groups=
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
  others=
  for each in $groups; do [ "$each" = "$group" ] || others="$others $each"; done
  groups=$others
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

  /** Watches a group, by the id of its first process. Returns the function that stops watching. It never throws. */
  watch(pid: number): () => void {
    this.#groups.add(pid);
    if (this.#process === undefined) this.start();
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

  /** Starts it, unless it runs. Before a process that it is to watch: this process could be killed between the two. */
  start(): void {
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
