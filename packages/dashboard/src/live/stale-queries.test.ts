import { focusManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { pause } from "@tenterhook/internal";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sampleEvent } from "../events/sample-event.ts";
import { slowLiveKeys } from "./live-keys.ts";
import { SLOW, StaleQueries } from "./stale-queries.ts";

let client: QueryClient;
let stale: StaleQueries;
let reads: number;
/** How long a read takes. */
let readMs: number;
let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  [reads, readMs] = [0, 10];
  client = new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } });
  stale = new StaleQueries(client, SLOW);
  const observer = new QueryObserver(client, {
    queryKey: ["hooks-in-use", ""],
    queryFn: async () => {
      reads += 1;
      await pause(readMs);
      return reads;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(readMs);
});
afterEach(() => {
  stop();
  client.clear();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

const happen = (...types: readonly string[]) =>
  stale.add(types.flatMap((type) => slowLiveKeys(sampleEvent(type))));

test("what is counted is not read again before a hook was called", async () => {
  happen("run_created", "run_started", "step_start", "text", "hook_start", "run_completed");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(1);
  happen("hook_tallies");
  await vi.advanceTimersByTimeAsync(readMs);
  expect(reads).toBe(2);
});

test("many calls of hooks are counted every five seconds", async () => {
  for (let ms = 0; ms < 20_000; ms += 100) {
    happen("hook_complete", "hook_acted");
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(reads).toBe(1 + 4);
});

test("a slow count is read more seldom", async () => {
  readMs = 1_000;
  for (let ms = 0; ms < 40_000; ms += 100) {
    happen("hook_complete");
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(reads).toBe(1 + 2);
});

test("a tab in the background counts nothing until it is shown", async () => {
  focusManager.setFocused(false);
  happen("hook_blocked");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(1);
  client.mount();
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(readMs);
  expect(reads).toBe(2);
  client.unmount();
});
