import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Surroundings } from "./run-commands.ts";

/** A command that runs until Ctrl-C. */
export interface Service {
  /** What it has printed until it was ready. */
  readonly output: string;
  /** Sends Ctrl-C, and waits for the end. */
  end(): Promise<void>;
}

/** Starts a command and waits until it has printed what matches `ready`. Rejects with its output when it ends before. */
export async function startService(
  text: string,
  ready: RegExp,
  { cwd, env }: Surroundings,
): Promise<Service> {
  // A process group of its own: a terminal sends Ctrl-C to all of it.
  const child = spawn("sh", ["-c", text], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let output = "";
  const isReady = new Promise<boolean>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (piece: string) => {
        output += piece;
        if (ready.test(output)) resolve(true);
      });
    }
    child.once("error", reject);
    void ended.then(() => resolve(false));
  });
  if (!(await isReady)) throw new Error(`$ ${text}\nended before it was ready:\n${output}`);
  return {
    output,
    async end() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
      await ended;
    },
  };
}
