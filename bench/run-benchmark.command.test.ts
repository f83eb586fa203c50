import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isAlive } from "@tenterhook/test-support";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("./dist/testing/disturbed.js", import.meta.url));

function bench(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

test("the benchmark run measures the cases behind those that fail, names each failed one with its error, and exits with 1", async () => {
  const { status, stdout, stderr } = bench(["healthy", "disturbed"]);

  const [, table = ""] = stdout.split("node ");
  expect(table).toMatch(/^measured first .* ok$/m);
  expect(table).toMatch(/^measured last .* ok$/m);
  expect(stderr).toContain("5 cases could not be measured, and the table lacks their rows:");
  expect(stderr).toContain("\ndisturbed/throws failed: Error: four of 2,000 events are missing\n");
  expect(stderr).toContain("\ndisturbed/leaves failed: Error: a server is left\n");
  expect(stderr).toMatch(/^disturbed\/throwsLater failed: (?:.*\n)*?.*thrown where nothing catches it/m);
  expect(stderr).toMatch(/^disturbed\/killed failed: its process ended with SIGKILL$/m);
  expect(stderr).toMatch(
    /^disturbed\/waitsForNothing failed: it waited for something that could not happen/m,
  );
  expect(stdout).toContain("\ndisturbed/throws failed: Error: four of 2,000 events are missing\n");
  expect(status).toBe(1);
  // What a failed case has started is ended with it.
  const left = Number(/left process (\d+)/.exec(stdout)?.[1]);
  expect(left).toBeGreaterThan(0);
  await expect.poll(() => isAlive(left)).toBe(false);
});

test("the benchmark run ends a case that hangs at the limit, and measures the next one", () => {
  const { status, stdout, stderr } = bench(["hanging"], { TENTERHOOK_BENCH_LIMIT_MS: "10000" });

  expect(stderr).toContain("hanging/hangs failed: it had not ended after 10 s");
  expect(stdout).toMatch(/^measured after a limit .* ok$/m);
  expect(status).toBe(1);
});

test("the benchmark run exits with 0 when every case was measured", () => {
  expect(bench(["healthy"])).toMatchObject({ status: 0, stderr: "" });
});
