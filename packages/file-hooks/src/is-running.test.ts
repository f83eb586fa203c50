import { spawn, spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { isRunning } from "./is-running.ts";

test("a process that runs is running, and one that has ended is not", () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(spawnSync("true").pid)).toBe(false);
});

test("a process that was killed is not running although its parent has not asked for its exit code", async () => {
  const script = "sleep 60 & echo $!; kill -KILL $!; exec sleep 60";
  const parent = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const killed = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
  await expect.poll(() => isRunning(killed)).toBe(false);
  // It still has its number.
  expect(process.kill(killed, 0)).toBe(true);
});
