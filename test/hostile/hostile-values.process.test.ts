import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Line {
  readonly name: string;
  readonly [fact: string]: unknown;
}

/** Runs a script of this folder to its end. What it prints is read line by line; a last line says that it got there. */
async function run(script: string): Promise<{ readonly exit: string; readonly lines: readonly Line[] }> {
  const child = spawn(process.execPath, ["--no-warnings", fileURLToPath(new URL(script, import.meta.url))]);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
  const code = await new Promise((resolve) => child.on("close", (exit, signal) => resolve(signal ?? exit)));
  const lines = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  return { exit: `${code} ${stderr.slice(0, 2_000)}`.trim(), lines };
}

test("a failure of any shape is a failure of that hook: the dispatch settles, and Node does not exit", async () => {
  const { exit, lines } = await run("dispatch.mjs");
  expect({ exit, last: lines.at(-1) }).toEqual({
    exit: "0",
    last: { name: "the end", cases: lines.length - 1 },
  });
  const wrong = lines
    .slice(0, -1)
    .filter(({ isFailure, isShort }) => isFailure !== true || isShort === false);
  expect(wrong).toEqual([]);
});

test("whatever a model, a tool or a wrapper fails with, the run ends with a result or an error that can be read", async () => {
  const { exit, lines } = await run("agent.mjs");
  expect({ exit, last: lines.at(-1) }).toEqual({
    exit: "0",
    last: { name: "the end", cases: lines.length - 1 },
  });
  expect(lines.filter(({ isError, isShort }) => isError === false || isShort === false)).toEqual([]);
});
