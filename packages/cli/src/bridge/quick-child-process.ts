import type { ChildProcess, SpawnOptions } from "node:child_process";
import { startQuickly } from "./quick-child.ts";

/**
 * Replaces `node:child_process` in the bundle of the bridge. Loading that, with the network and the streams, and starting
 * one process takes a third of the time of a call with one hook.
 */
const nodes = () => process.getBuiltinModule("node:child_process");

/** Like Node's own `spawn`, which is used for other options than the engine's, and when the quick start fails. */
export function spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return quickly(command, args, options) ?? nodes().spawn(command, args, options);
}

function quickly(command: string, args: readonly string[], options: SpawnOptions): ChildProcess | undefined {
  const { cwd, env = process.env, detached, stdio } = options;
  if (process.platform === "win32" || detached !== true || stdio !== undefined || typeof cwd !== "string")
    return undefined;
  const start = { command, args, cwd, env };
  // A zero byte would end the string; Node refuses it.
  if (command === "" || cwd === "" || JSON.stringify(start).includes("\\u0000")) return undefined;
  return startQuickly(start) as unknown as ChildProcess | undefined;
}
