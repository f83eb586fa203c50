import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isAlive } from "./is-alive.ts";

const PROGRAM = fileURLToPath(new URL("../dist/programs/guarded-run.js", import.meta.url));

test("a run that is killed leaves neither its processes nor its temporary files", async () => {
  const { TENTERHOOK_RUN: _, ...env } = process.env;
  const run = spawn(process.execPath, [PROGRAM], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(run.stdout, "data");
  const { folder, run: runFolder, pid } = JSON.parse(String(line));
  expect(dirname(folder)).toBe(runFolder);
  expect([existsSync(folder), isAlive(pid)]).toEqual([true, true]);

  run.kill("SIGKILL");

  await expect.poll(() => [existsSync(runFolder), isAlive(pid)]).toEqual([false, false]);
});
