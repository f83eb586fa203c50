import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { CommandSandbox, ended } from "./command-sandbox.ts";
import type { ResidentClaude } from "./resident-claude.ts";

/**
 * A sandbox with two guards: one with `on_error: block` refuses what contains "no", and one with `on_error: continue` what contains "never".
 * The first stores which process has asked it, and what it was given.
 */
export class GuardSandbox extends CommandSandbox {
  readonly #asked = join(this.root, "asked");

  constructor() {
    super();
    const store = `{ echo "$PPID"; umask; ulimit -f; echo "$MARK"; } >'${this.#asked}'; `;
    const refuse = (word: string) =>
      `case "$(cat)" in *${word}*) echo "because of $MARK" >&2; exit 2 ;; esac`;
    this.hook("blocks", { scope: "user", fields: ["on_error: block"], script: store + refuse("no") });
    this.hook("continues", { scope: "user", fields: ["on_error: continue"], script: refuse("never") });
  }

  /** What the guard saw at the last call: its parent, its umask, its limit of file sizes, and the variable MARK. */
  get asked(): { parent: number; umask: string; fileSize: string; mark: string } {
    const [parent, umask = "", fileSize = "", mark = ""] = this.read(this.#asked).split("\n");
    return { parent: Number(parent), umask, fileSize, mark };
  }
}

/** A sandbox with a guard that stores its process and waits, except for what contains "first". */
export class WaitingSandbox extends CommandSandbox {
  readonly #pids = join(this.root, "pids");

  constructor(onError: "block" | "continue") {
    super();
    const store = `echo "$$ $PPID" >'${this.#pids}.new'; mv '${this.#pids}.new' '${this.#pids}'`;
    const script = `case "$(cat)" in *first*) exit 0 ;; esac; ${store}; exec sleep 600`;
    this.hook("waits", { scope: "user", fields: [`on_error: ${onError}`, "timeout: 600000"], script });
  }

  /** Starts a call, and waits until the resident process has started the guard. On a machine under load that may take several calls. */
  async startWaiting(
    { claude, pid }: ResidentClaude,
    seconds = 600,
  ): Promise<{ script: ChildProcess; guard: number }> {
    for (;;) {
      rmSync(this.#pids, { force: true });
      const line = claude.command().replace(/--timeout \d+/, `--timeout ${seconds}`);
      const script = spawn("/bin/sh", ["-c", `exec ${line}`], { cwd: this.project, env: this.env() });
      script.stdin.on("error", () => undefined);
      script.stdin.end(claude.payload("ls"));
      await expect.poll(() => existsSync(this.#pids)).toBe(true);
      const [guard = 0, parent] = this.read(this.#pids).split(" ").map(Number);
      if (parent === pid) return { script, guard };
      script.kill("SIGKILL");
      await ended(script);
    }
  }
}
