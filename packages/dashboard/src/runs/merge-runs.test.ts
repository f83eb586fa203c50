import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
import { mergeRuns, rowsOf } from "./merge-runs.ts";

/** A run that was created at a second of a minute. */
function run(second: number, more: Partial<RunSummary> = {}): RunSummary {
  return {
    run_id: `run_${second}`,
    session_id: `ses_${second}`,
    agent_name: "hello",
    revision: 1,
    kind: "client",
    status: "running",
    waiting_for: null,
    execution_mode: "async_poll",
    error: null,
    error_code: null,
    block_reason: null,
    stop_reason: null,
    stopped_by: null,
    stop_requested_at: null,
    has_hooks: false,
    attempt: 1,
    max_attempts: 1,
    runner_id: null,
    parent_run_id: null,
    retry_of: null,
    created_by: null,
    trial: false,
    created_at: `2026-11-15T10:00:${String(second).padStart(2, "0")}.000Z`,
    started_at: null,
    finished_at: null,
    input_line: null,
    result_line: null,
    usage: null,
    ...more,
  };
}

const page = (seconds: readonly number[], next_cursor: string | null = null): RunsPage => ({
  runs: seconds.map((second) => run(second)),
  next_cursor,
});
const ids = (pages: readonly RunsPage[]) =>
  pages.map(({ runs }) => runs.map(({ run_id }) => run_id.slice(4)));

test("a changed run is replaced in place, and nothing else changes", () => {
  const pages = [page([9, 8, 7], "c"), page([6, 5])];
  const after = mergeRuns(pages, ["run_8"], [run(8, { status: "completed" })]);
  expect(ids(after)).toEqual([
    ["9", "8", "7"],
    ["6", "5"],
  ]);
  expect(after[0]?.runs[1]?.status).toBe("completed");
  expect(after[0]?.runs[0]).toBe(pages[0]?.runs[0]);
  expect(after[1]).toBe(pages[1]);
});

test("a requested run that was not found is removed", () => {
  expect(ids(mergeRuns([page([9, 8, 7], "c"), page([6, 5])], ["run_9", "run_5"], []))).toEqual([
    ["8", "7"],
    ["6"],
  ]);
});

test("new runs are inserted in order", () => {
  const after = mergeRuns(
    [page([50, 40], "c"), page([30, 20])],
    [],
    [run(35), run(10), run(55), run(45), run(25)],
  );
  expect(ids(after)).toEqual([
    ["55", "50", "45", "40"],
    ["35", "30", "25", "20", "10"],
  ]);
});

test("a run after the last loaded page is left to the next page", () => {
  expect(ids(mergeRuns([page([50, 40], "c")], [], [run(30), run(45)]))).toEqual([["50", "45", "40"]]);
});

test("the first run is inserted into an empty page", () => {
  expect(ids(mergeRuns([page([])], ["run_1"], [run(1)]))).toEqual([["1"]]);
});

test("runs of the same time are ordered by id, descending", () => {
  const { created_at } = run(5);
  const after = mergeRuns([page([5])], [], [run(4, { created_at }), run(6, { created_at })]);
  expect(ids(after)).toEqual([["6", "5", "4"]]);
});

test("unchanged runs leave the pages unchanged", () => {
  const pages = [page([9, 8])];
  expect(mergeRuns(pages, ["run_9", "run_1"], [run(9)])).toBe(pages);
});

test("without room, runs are updated and removed, but not added", () => {
  const after = mergeRuns([page([9, 8])], ["run_9", "run_8", "run_10"], [run(8, { attempt: 2 }), run(10)], 0);
  expect(ids(after)).toEqual([["8"]]);
  expect(after[0]?.runs[0]?.attempt).toBe(2);
});

test("a run on two pages is one row", () => {
  expect(rowsOf([page([9, 8], "c"), page([8, 7])]).map(({ run_id }) => run_id)).toEqual([
    "run_9",
    "run_8",
    "run_7",
  ]);
});

test("two hundred changes among ten thousand runs are merged within a second", () => {
  const many = Array.from({ length: 50 }, (_, p) => ({
    runs: Array.from({ length: 200 }, (_, i) =>
      run(0, {
        run_id: `run_${99_999 - p * 200 - i}`,
        created_at: new Date(1e12 - (p * 200 + i) * 1_000).toISOString(),
      }),
    ),
    next_cursor: "c",
  }));
  const changed = many
    .flatMap(({ runs }) => runs.slice(0, 4))
    .map((each) => ({ ...each, status: "failed" as const }));
  const began = threadTimeMs();
  const after = mergeRuns(
    many,
    changed.map(({ run_id }) => run_id),
    changed,
  );
  expect(threadTimeMs() - began).toBeLessThan(1_000);
  expect(rowsOf(after).filter(({ status }) => status === "failed")).toHaveLength(200);
});
