import type { ChildProcess, SpawnOptions } from "node:child_process";
import { startQuickly } from "./quick-child.ts";

/**
 * What the bundle of the bridge has in place of `node:child_process`. To load that, and the network and the streams with it, and to start
 * one process by it takes a third of the time of a call with one hook.
 */
const nodes = () => process.getBuiltinModule("node:child_process");

/** As Node's own `spawn`, which does all that is not as the engine starts hooks, and all that fails. */
export function spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return quickly(command, args, options) ?? nodes().spawn(command, args, options);
}

function quickly(command: string, args: readonly string[], options: SpawnOptions): ChildProcess | undefined {
  const { cwd, env = process.env, detached, stdio } = options;
  if (process.platform === "win32" || detached !== true || stdio !== undefined || typeof cwd !== "string")
    return undefined;
  const start = { command, args, cwd, env };
  // A zero byte would end a text; Node refuses it.
  if (command === "" || cwd === "" || JSON.stringify(start).includes("\\u0000")) return undefined;
  return startQuickly(start) as unknown as ChildProcess | undefined;
}
