import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { isRunning } from "./file-lock.ts";

test("a process that runs is running, and one that has ended is not", () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(spawnSync("true").pid)).toBe(false);
});

test("a process that was killed is not running although its parent has not asked for its exit code", async () => {
  // The shell becomes `sleep`, which never asks. Until then it may.
  const parent = spawn("/bin/sh", ["-c", "sleep 60 & echo $!; exec sleep 61"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const child = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
  onTestFinished(() => void process.kill(child, "SIGKILL"));
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
  process.kill(child, "SIGKILL");
  await expect.poll(() => isRunning(child)).toBe(false);
  // It still has its number.
  expect(process.kill(child, 0)).toBe(true);
});
