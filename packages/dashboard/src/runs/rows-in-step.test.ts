import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ReadList, RowsInStep } from "./rows-in-step.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// Nothing else of a run matters here.
const run = (run_id: string, more: Partial<RunSummary> = {}) =>
  ({ run_id, created_at: "2026-11-15T10:00:00.000Z", status: "running", ...more }) as RunSummary;

/** A list in memory, and whoever answers for it. */
function listOf(runs: readonly RunSummary[], ask: ReadList["ask"]) {
  const list = {
    reads: false,
    pages: [{ runs: [...runs], next_cursor: null }] as readonly RunsPage[],
    isReading: () => list.reads,
    change: (change: (pages: readonly RunsPage[]) => readonly RunsPage[]) => {
      list.pages = change(list.pages);
    },
    ask,
  };
  return list;
}
const shown = (list: { readonly pages: readonly RunsPage[] }) => list.pages.flatMap(({ runs }) => runs);

test("however many runs change, they are asked for by two hundred, one question at a time", async () => {
  const asked: number[] = [];
  let open = 0;
  const list = listOf([], async (ids) => {
    open += 1;
    expect(open).toBe(1);
    asked.push(ids.length);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    open -= 1;
    return [];
  });
  const step = new RowsInStep(list);
  step.add(Array.from({ length: 1_000 }, (_, n) => `run_${n % 500}`));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([200, 200, 100]);
});

test("runs that changed while pages were read are asked for when those have come", async () => {
  const list = listOf([run("a")], async (ids) => ids.map((id) => run(id, { status: "completed" })));
  list.reads = true;
  new RowsInStep(list).add(["a"]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(shown(list)[0]?.status).toBe("running");
  list.reads = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(list)[0]?.status).toBe("completed");
});

test("an answer that comes while pages are read is asked for again", async () => {
  const asked: string[] = [];
  const list = listOf([run("a")], async (ids) => {
    asked.push(...ids);
    list.reads = asked.length === 1;
    return [run("a", { status: "completed" })];
  });
  new RowsInStep(list).add(["a"]);
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(list)[0]?.status).toBe("running");
  list.reads = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toEqual(["a", "a"]);
  expect(shown(list)[0]?.status).toBe("completed");
});

test("a question that was not answered is asked again", async () => {
  let tries = 0;
  const list = listOf([run("a")], async () => {
    tries += 1;
    if (tries < 3) throw new Error("away");
    return [];
  });
  new RowsInStep(list).add(["a"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBe(3);
  expect(shown(list)).toEqual([]);
});

test("nobody asks for a list that is no longer looked at", async () => {
  const asked: string[] = [];
  const list = listOf([run("a")], async (ids) => {
    asked.push(...ids);
    return [];
  });
  const step = new RowsInStep(list);
  step.close();
  step.add(["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([]);
});
