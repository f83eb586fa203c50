// Runs suites in which some cases fail, each in its own way, by the real runner.
import { spawn } from "node:child_process";
import type { Row } from "../measure.ts";
import { runBenchmark } from "../run-benchmark.ts";

const row = (what: string): Row => ({ what, against: "itself", ours: 1, theirs: 1, bar: { most: 1 } });

await runBenchmark(import.meta.url, {
  healthy: { first: async () => [row("measured first")] },
  disturbed: {
    throws: async () => {
      throw new Error("four of 2,000 events are missing");
    },
    leaves: async () => {
      const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
      console.log(`left process ${left.pid}`);
      throw new Error("a server is left");
    },
    throwsLater: async () => {
      setImmediate(() => {
        throw new Error("thrown where nothing catches it");
      });
      return await new Promise(() => undefined);
    },
    killed: async () => {
      process.kill(process.pid, "SIGKILL");
      return [];
    },
    waitsForNothing: async () => await new Promise(() => undefined),
    last: async () => [row("measured last")],
  },
  hanging: {
    hangs: async () => {
      setInterval(() => undefined, 1_000);
      return await new Promise(() => undefined);
    },
    last: async () => [row("measured after a limit")],
  },
});
