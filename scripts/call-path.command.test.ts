import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("call-path.mjs", import.meta.url));

test("a call of a coding agent enters at most twelve folders of the bridges, and returns to one at most five times", async () => {
  const { exit, folders, returns, visits } = JSON.parse(await run());
  // The guard was asked: it is the whole path.
  expect(exit).toBe(2);
  expect(folders).toBeLessThanOrEqual(12);
  expect(returns).toBeLessThanOrEqual(5);
  const steps = visits.map(({ folder }: { folder: string }) => folder);
  const names = ["read", "match", "translate", "decide", "encode", "record"].map((name) => `call/${name}`);
  expect(names.filter((name) => !steps.includes(name))).toEqual([]);
  expect(steps.slice(-3)).toEqual(["call/decide", "call/encode", "call/record"]);
});

function run(): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, "--json"], (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr, { cause: error })),
    );
  });
}
