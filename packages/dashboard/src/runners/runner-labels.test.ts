import { expect, test } from "vitest";
import { machineText, offersOf, usedPercent } from "./runner-labels.ts";

test("a machine is described by what its runner reported", () => {
  expect(machineText({ host: "build-3", platform: "linux", node: "v20.20.0", pid: 4711 })).toBe(
    "build-3 · linux · Node 20.20.0 · process 4711",
  );
  expect(machineText({ host: "a", version: "0.2.0" })).toBe("a · Tenterhook 0.2.0");
  expect(machineText({ host: { odd: true } })).toBe("");
});

test("empty kinds are left out", () => {
  expect(offersOf({ models: ["main"], tools: [], mcp_servers: "?" })).toEqual([["models", ["main"]]]);
});

test("hook runs may exceed the slots, and the bar stays at 100 percent", () => {
  expect([
    usedPercent({ active_runs: 1, concurrency: 3 }),
    usedPercent({ active_runs: 5, concurrency: 4 }),
    usedPercent({ active_runs: 0, concurrency: 0 }),
  ]).toEqual([33, 100, 0]);
});
