import { pause } from "@tenterhook/internal";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sampleEvent } from "../events/sample-event.ts";
import { slowLiveKeys } from "./live-keys.ts";
import { SLOW, StaleQueries } from "./stale-queries.ts";

let stale: StaleQueries;
let reads: (readonly string[])[];
/** How long a read takes. */
let readMs: number;

beforeEach(() => {
  vi.useFakeTimers();
  [reads, readMs] = [[], 10];
  stale = new StaleQueries(async (key) => {
    reads.push(key);
    await pause(readMs);
  }, SLOW);
});
afterEach(() => {
  vi.useRealTimers();
});

const happen = (...types: readonly string[]) =>
  stale.add(types.flatMap((type) => slowLiveKeys(sampleEvent(type))));

test("what is counted is not read again before a hook was called", async () => {
  happen("run_created", "run_started", "step_start", "text", "hook_start", "run_completed");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toEqual([]);
  happen("hook_tallies");
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toEqual([["hooks-in-use"]]);
});

test("many calls of hooks are counted every five seconds", async () => {
  for (let ms = 0; ms < 20_000; ms += 100) {
    happen("hook_complete", "hook_acted");
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(reads).toHaveLength(4);
});

test("what takes a second to count is read every twenty seconds", async () => {
  readMs = 1_000;
  for (let ms = 0; ms < 40_000; ms += 100) {
    happen("hook_complete");
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(reads).toHaveLength(2);
});
