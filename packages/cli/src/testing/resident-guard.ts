import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandSandbox } from "./command-sandbox.ts";

/** A sandbox with a guard that refuses what contains "no", and stores which process has asked it and what it was given. */
export class GuardSandbox extends CommandSandbox {
  readonly #asked = join(this.root, "asked");

  constructor(onError: "block" | "continue" = "block") {
    super();
    const facts = `{ echo "$PPID"; umask; ulimit -f; echo "$MARK"; } >'${this.#asked}'`;
    const script = `${facts}; case "$(cat)" in *no*) echo "because of $MARK" >&2; exit 2 ;; esac`;
    this.hook("guard", { scope: "user", fields: [`on_error: ${onError}`], script });
  }

  /** What the guard saw at the last call: its parent, its umask, its limit of file sizes, and the variable MARK. */
  get asked(): { parent: number; umask: string; fileSize: string; mark: string } {
    const [parent, umask = "", fileSize = "", mark = ""] = this.read(this.#asked).split("\n");
    return { parent: Number(parent), umask, fileSize, mark };
  }
}

/** A sandbox with a guard that stores its process and waits, except for what contains "first". */
export class WaitingSandbox extends CommandSandbox {
  readonly pidFile = join(this.root, "pid");

  constructor(onError: "block" | "continue") {
    super();
    const store = `echo $$ >'${this.pidFile}.new'; mv '${this.pidFile}.new' '${this.pidFile}'`;
    const script = `case "$(cat)" in *first*) exit 0 ;; esac; ${store}; exec sleep 600`;
    this.hook("waits", { scope: "user", fields: [`on_error: ${onError}`, "timeout: 600000"], script });
  }
}

/** The resident processes of a folder, by the commands that they were started with. */
export function findDaemons(folder: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`\0daemon\0--folder\0${folder}\0`);
    } catch {
      return false;
    }
  });
}
