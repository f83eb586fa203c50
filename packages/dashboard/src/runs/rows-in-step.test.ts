import { QueryClient } from "@tanstack/react-query";
import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RowsInStep } from "./rows-in-step.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KEY = ["runs"];
// Nothing else of a run matters here.
const run = (run_id: string, more: Partial<RunSummary> = {}) =>
  ({ run_id, created_at: "2026-11-15T10:00:00.000Z", status: "running", ...more }) as RunSummary;

function clientWith(runs: readonly RunSummary[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(KEY, { pages: [{ runs, next_cursor: null }], pageParams: [undefined] });
  return client;
}
const shown = (client: QueryClient) =>
  client.getQueryData<{ pages: RunsPage[] }>(KEY)?.pages.flatMap(({ runs }) => runs) ?? [];

test("however many runs change, they are asked for by two hundred, one question at a time", async () => {
  const asked: number[] = [];
  let open = 0;
  const step = new RowsInStep(clientWith([]), KEY, async (ids) => {
    open += 1;
    expect(open).toBe(1);
    asked.push(ids.length);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    open -= 1;
    return [];
  });
  step.add(Array.from({ length: 1_000 }, (_, n) => `run_${n % 500}`));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([200, 200, 100]);
});

test("runs that changed while pages were read are asked for when those have come", async () => {
  const client = clientWith([run("a")]);
  const page = { runs: [run("a")], next_cursor: null };
  const reading = client.fetchQuery({
    queryKey: KEY,
    queryFn: async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return { pages: [page], pageParams: [undefined] };
    },
  });
  const step = new RowsInStep(client, KEY, async (ids) => ids.map((id) => run(id, { status: "completed" })));
  step.add(["a"]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(shown(client)[0]?.status).toBe("running");
  await vi.advanceTimersByTimeAsync(2_000);
  await reading;
  expect(shown(client)[0]?.status).toBe("completed");
});

test("a question that was not answered is asked again", async () => {
  const client = clientWith([run("a")]);
  let tries = 0;
  const step = new RowsInStep(client, KEY, async () => {
    tries += 1;
    if (tries < 3) throw new Error("away");
    return [];
  });
  step.add(["a"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBe(3);
  expect(shown(client)).toEqual([]);
});

test("nobody asks for a list that is no longer looked at", async () => {
  const client = clientWith([run("a")]);
  const ask = vi.fn(async () => []);
  const step = new RowsInStep(client, KEY, ask);
  step.close();
  step.add(["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ask).not.toHaveBeenCalled();
});
