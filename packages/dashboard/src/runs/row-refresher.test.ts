import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RowRefresher, type RunList } from "./row-refresher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// Nothing else of a run matters here.
const run = (run_id: string, more: Partial<RunSummary> = {}) =>
  ({ run_id, created_at: "2026-11-15T10:00:00.000Z", status: "running", ...more }) as RunSummary;

/** A list in memory. */
function listOf(runs: readonly RunSummary[], fetch: RunList["fetch"]) {
  const list = {
    reads: false,
    pages: [{ runs: [...runs], next_cursor: null }] as readonly RunsPage[],
    isReading: () => list.reads,
    change: (change: (pages: readonly RunsPage[]) => readonly RunsPage[]) => {
      list.pages = change(list.pages);
    },
    fetch,
  };
  return list;
}
const shown = (list: { readonly pages: readonly RunsPage[] }) => list.pages.flatMap(({ runs }) => runs);

test("the list reads changed runs two hundred at a time, with one request at a time", async () => {
  const requested: number[] = [];
  let open = 0;
  const list = listOf([], async (ids) => {
    open += 1;
    expect(open).toBe(1);
    requested.push(ids.length);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    open -= 1;
    return [];
  });
  const refresher = new RowRefresher(list);
  refresher.add(Array.from({ length: 1_000 }, (_, n) => `run_${n % 500}`));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requested).toEqual([200, 200, 100]);
});

test("the list reads runs that changed while pages were being read after those pages", async () => {
  const list = listOf([run("a")], async (ids) => ids.map((id) => run(id, { status: "completed" })));
  list.reads = true;
  new RowRefresher(list).add(["a"]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(shown(list)[0]?.status).toBe("running");
  list.reads = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(list)[0]?.status).toBe("completed");
});

test("the list repeats a request whose response arrives while pages are being read", async () => {
  const requested: string[] = [];
  const list = listOf([run("a")], async (ids) => {
    requested.push(...ids);
    list.reads = requested.length === 1;
    return [run("a", { status: "completed" })];
  });
  new RowRefresher(list).add(["a"]);
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(list)[0]?.status).toBe("running");
  list.reads = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(requested).toEqual(["a", "a"]);
  expect(shown(list)[0]?.status).toBe("completed");
});

test("the list repeats a failed request", async () => {
  let tries = 0;
  const list = listOf([run("a")], async () => {
    tries += 1;
    if (tries < 3) throw new Error("unreachable");
    return [];
  });
  new RowRefresher(list).add(["a"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBe(3);
  expect(shown(list)).toEqual([]);
});

test("a closed list sends no request", async () => {
  const requested: string[] = [];
  const list = listOf([run("a")], async (ids) => {
    requested.push(...ids);
    return [];
  });
  const refresher = new RowRefresher(list);
  refresher.close();
  refresher.add(["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requested).toEqual([]);
});
