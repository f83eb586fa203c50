import { expect, test } from "vitest";
import { machineText, offersOf, usedPercent } from "./runner-words.ts";

test("a machine is told by what it told, and nothing is made up", () => {
  expect(machineText({ host: "build-3", platform: "linux", node: "v20.20.0", pid: 4711 })).toBe(
    "build-3 · linux · Node 20.20.0 · process 4711",
  );
  expect(machineText({ host: "a", version: "0.2.0" })).toBe("a · Tenterhook 0.2.0");
  expect(machineText({ host: { odd: true } })).toBe("");
});

test("what a machine has nothing of is left out", () => {
  expect(offersOf({ models: ["main"], tools: [], mcp_servers: "?" })).toEqual([["models", ["main"]]]);
});

test("runs of hooks may be more than there are slots, and the bar stays full", () => {
  expect([
    usedPercent({ active_runs: 1, concurrency: 3 }),
    usedPercent({ active_runs: 5, concurrency: 4 }),
    usedPercent({ active_runs: 0, concurrency: 0 }),
  ]).toEqual([33, 100, 0]);
});
