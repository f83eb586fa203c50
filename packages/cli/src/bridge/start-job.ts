import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { BridgeOptions } from "./options.ts";

/** Starts a process of its own for a job; it has none of the client's pipes and continues when this one has ended. */
export function startJob(
  path: string,
  { pins, env }: Pick<BridgeOptions, "pins" | "env">,
  cwd: string,
): void {
  const [node, script = ""] = process.argv;
  const child = spawn(node ?? process.execPath, [script, "bridge", "--job", path, ...pins], {
    // The folder may have been removed while the agent was in it.
    cwd: existsSync(cwd) ? cwd : "/",
    // Node copies this variable from its own environment into every other, unless it is there.
    env: { NODE_V8_COVERAGE: undefined, ...env },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}
