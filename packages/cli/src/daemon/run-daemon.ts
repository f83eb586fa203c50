import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Daemon } from "./daemon.ts";
import { LAST_CALLS_END_MS } from "./end-predecessor.ts";

/** It ends after an hour without a call. */
const IDLE_MS = 60 * 60 * 1000;

/** Runs the resident process: `daemon --folder FOLDER [--idle SECONDS]`. `bundle`: the folder of its program. */
export async function runDaemon(bundle: string, args: readonly string[]): Promise<void> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const { folder, idle } = { folder: option("--folder"), idle: Number(option("--idle")) };
  // The folder that it was started in may be removed, or be on a disk that is to be ejected.
  process.chdir("/");
  try {
    if (folder === undefined) throw new Error("--folder is missing");
    const daemon = new Daemon({
      folder,
      program: readdirSync(bundle).map((name) => join(bundle, name)),
      idleMs: idle > 0 ? idle * 1_000 : IDLE_MS,
      ended: (why) => {
        process.stdout.write(`tenterhook: the resident process has ended: ${why}\n`);
        process.exit(0);
      },
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
      process.on(signal, () => {
        daemon.end(signal);
        setTimeout(() => process.exit(0), LAST_CALLS_END_MS).unref();
      });
    await daemon.start();
    process.stdout.write(`tenterhook: the resident process ${process.pid} answers in ${folder}\n`);
  } catch (error) {
    process.stderr.write(`tenterhook: no resident process: ${(error as Error).message}\n`);
    process.exit(1);
  }
}
