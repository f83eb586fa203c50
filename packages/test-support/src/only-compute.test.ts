import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test.each([
  ["a process", () => spawn("true")],
  ["a process and wait for it", () => execFileSync("true")],
  ["a thread", () => new Worker("", { eval: true })],
  ["a server", () => createServer().listen(0)],
])("a test whose file name does not say so cannot start %s", (_, start) => {
  expect(start).toThrow("Name its file *.process.test.ts");
});
