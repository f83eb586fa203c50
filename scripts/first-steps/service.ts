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

/** Ends a command that does not become ready, or does not end. Installing everything is part of it. */
const LIMIT_MS = 900_000;

/** Starts a command and waits until it has printed what matches `ready`. Rejects with its output when it ends before. */
export async function startService(
  text: string,
  ready: RegExp,
  { cwd, env }: Surroundings,
): Promise<Service> {
  // A process group of its own: a terminal sends Ctrl-C to all of it.
  const child = spawn("sh", ["-c", text], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const send = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  };
  const limit = setTimeout(() => send("SIGKILL"), LIMIT_MS);
  void ended.then(() => clearTimeout(limit));
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
      send("SIGINT");
      await ended;
    },
  };
}
