import { spawn } from "node:child_process";

/** Starts a process of its own for a job; it has none of the client's pipes and continues when this one has ended. */
export function startJob(path: string, pins: readonly string[]): void {
  const [node, script = ""] = process.argv;
  const child = spawn(node ?? process.execPath, [script, "bridge", "--job", path, ...pins], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}
