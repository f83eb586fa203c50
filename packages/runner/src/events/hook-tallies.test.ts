import { type Approver, ask, block, createHooks, proceed } from "@tenterhook/engine";
import {
  eventDataIssues,
  type HookTally,
  MAX_TALLIED_TOOLS,
  MAX_TALLIES,
  OTHER_TOOLS,
} from "@tenterhook/protocol/runs";
import { describe, expect, test, vi } from "vitest";
import { HookTallies } from "./hook-tallies.ts";
import type { ReportedEvent } from "./reported-event.ts";

function watchedHooks() {
  const reports: (readonly HookTally[])[] = [];
  const tallies = new HookTallies(({ type, data }: ReportedEvent<"hook_tallies">) => {
    expect(eventDataIssues(type, JSON.parse(JSON.stringify(data)))).toEqual([]);
    reports.push(data.tallies);
  });
  const hooks = createHooks({ report: () => undefined });
  hooks.onTrace(tallies.count);
  return { hooks, tallies, reports };
}

const call = (toolName: string, command = "ls") => ({ toolName, toolInput: { command } });

/** What was counted of each hook, as `hook event tool outcome` with the count. */
function counts(rows: readonly HookTally[]): Record<string, number> {
  return Object.fromEntries(
    rows.map(({ hook, event, tool = "-", outcome, count }) => [`${hook} ${event} ${tool} ${outcome}`, count]),
  );
}

describe("the tallies of a run", () => {
  test("count every call of every hook, with passes", async () => {
    const { hooks, tallies, reports } = watchedHooks();
    hooks.on(
      "before_tool",
      ({ toolInput }) => {
        if (toolInput.command === "rm") return block("no");
        if (toolInput.command === "crash") throw new Error("boom");
        return toolInput.command === "sudo" ? proceed({ toolInput: { command: "ls" } }) : undefined;
      },
      { name: "guard" },
    );
    hooks.on("session_start", () => proceed(undefined, { context: "be brief" }), { name: "hint" });
    hooks.on("before_stop", () => block("not yet"), { name: "gate" });
    hooks.on("after_tool", () => undefined, { name: "log", mode: "background" });
    for (let index = 0; index < 100; index++) await hooks.dispatch("before_tool", call("Shell"));
    for (const command of ["rm", "crash", "sudo"])
      await hooks.dispatch("before_tool", call("Shell", command));
    await hooks.dispatch("before_tool", call("Read"));
    await hooks.dispatch("after_tool", { ...call("Read"), result: "text" } as never);
    await hooks.dispatch("session_start", {} as never);
    await hooks.dispatch("before_stop", { stopReason: "end_turn" } as never);
    tallies.flush();
    expect(reports).toHaveLength(1);
    expect(counts(reports[0] ?? [])).toEqual({
      "guard before_tool Shell passed": 100,
      "guard before_tool Shell blocked": 1,
      "guard before_tool Shell failed": 1,
      "guard before_tool Shell changed": 1,
      "guard before_tool Read passed": 1,
      "log after_tool Read started_in_background": 1,
      "hint session_start - added_context": 1,
      "gate before_stop - kept_running": 1,
    });
    for (const { outcome, count, durations } of reports[0] ?? []) {
      const timed = outcome === "started_in_background" ? 0 : count;
      expect(durations.reduce((sum, each) => sum + each, 0)).toBe(timed);
    }
  });

  /** A guard that asks, with an approver that counts the question and decides when the test does. */
  function askingGuard() {
    const { hooks, tallies, reports } = watchedHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? ask("sure?") : undefined), {
      name: "guard",
    });
    const decisions: ((type: "approve" | "reject") => void)[] = [];
    const approve: Approver = (request) => {
      tallies.question(request);
      return new Promise((resolve) => decisions.push((type) => resolve({ type })));
    };
    const dispatch = (toolUseId: string | undefined, command = "rm", signal?: AbortSignal) =>
      hooks.dispatch(
        "before_tool",
        { ...call("Shell", command), ...(toolUseId !== undefined && { toolUseId }) },
        { approve, ...(signal !== undefined && { signal }) },
      );
    return { dispatch, tallies, reports, decisions };
  }
  const timed = (rows: readonly HookTally[]) =>
    rows.flatMap(({ durations }) => [...durations]).reduce((sum, each) => sum + each, 0);

  test.each(["approve", "reject"] as const)(
    "count a question when it is asked, and the time of its call when a person has decided: %s",
    async (decision) => {
      const { dispatch, tallies, reports, decisions } = askingGuard();
      const dispatched = dispatch("c1");
      await vi.waitFor(() => expect(decisions).toHaveLength(1));
      expect(reports.map(counts)).toEqual([{ "guard before_tool Shell asked": 1 }]);
      decisions[0]?.(decision);
      await dispatched;
      tallies.flush();
      expect(reports.map(counts)).toEqual([
        { "guard before_tool Shell asked": 1 },
        { "guard before_tool Shell asked": 0 },
      ]);
      expect(reports.map(timed)).toEqual([0, 1]);
    },
  );

  test("count each of several questions at a time once, and later calls as they end", async () => {
    const { dispatch, tallies, reports, decisions } = askingGuard();
    const dispatched = [dispatch("c1"), dispatch("c2"), dispatch(undefined), dispatch(undefined)];
    await vi.waitFor(() => expect(decisions).toHaveLength(4));
    await dispatch("c3", "ls");
    for (const decide of decisions.toReversed()) decide("approve");
    await Promise.all(dispatched);
    tallies.flush();
    const rows = reports.flat();
    const sum = (outcome: string) =>
      rows.filter((row) => row.outcome === outcome).reduce((all, { count }) => all + count, 0);
    expect([sum("asked"), sum("passed"), timed(rows)]).toEqual([4, 1, 5]);
  });

  test("count a question whose dispatch is cancelled once", async () => {
    const { dispatch, tallies, reports, decisions } = askingGuard();
    const stopping = new AbortController();
    const dispatched = dispatch("c1", "rm", stopping.signal);
    await vi.waitFor(() => expect(decisions).toHaveLength(1));
    stopping.abort(new Error("stopped"));
    await Promise.allSettled([dispatched]);
    tallies.flush();
    expect(reports.map(counts)).toEqual([
      { "guard before_tool Shell asked": 1 },
      { "guard before_tool Shell asked": 0 },
    ]);
  });

  test("report only what is new", async () => {
    const { hooks, tallies, reports } = watchedHooks();
    hooks.on("before_tool", () => undefined, { name: "guard" });
    await hooks.dispatch("before_tool", call("Shell"));
    tallies.flush();
    tallies.flush();
    await hooks.dispatch("before_tool", call("Shell"));
    tallies.flush();
    expect(reports.map(counts)).toEqual([
      { "guard before_tool Shell passed": 1 },
      { "guard before_tool Shell passed": 1 },
    ]);
  });

  test("are reported while a run lasts, not more than twice a minute", async () => {
    vi.useFakeTimers();
    try {
      const { hooks, tallies, reports } = watchedHooks();
      hooks.on("before_tool", () => undefined, { name: "guard" });
      for (let second = 0; second < 60; second++) {
        void hooks.dispatch("before_tool", call("Shell"));
        vi.advanceTimersByTime(1_000);
      }
      expect(reports.flat().map(({ count }) => count)).toEqual([30, 30]);
      vi.advanceTimersByTime(120_000);
      expect(reports).toHaveLength(2);
      tallies.flush();
      expect(reports).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test("count the tools that a model invents together", async () => {
    const { hooks, tallies, reports } = watchedHooks();
    hooks.on("before_tool", () => undefined, { name: "guard" });
    for (let index = 0; index < 1_000; index++) await hooks.dispatch("before_tool", call(`tool-${index}`));
    await hooks.dispatch("before_tool", call("tool-0"));
    tallies.flush();
    const counted = counts(reports.flat());
    expect(Object.keys(counted)).toHaveLength(MAX_TALLIED_TOOLS + 1);
    expect(counted[`guard before_tool ${OTHER_TOOLS} passed`]).toBe(1_000 - MAX_TALLIED_TOOLS);
    expect(counted["guard before_tool tool-0 passed"]).toBe(2);
  });

  test("never exceed what one report may contain, and lose nothing for it", async () => {
    const { hooks, tallies, reports } = watchedHooks();
    const name = "a very long name ".repeat(100);
    for (let index = 0; index < 30; index++)
      hooks.on("before_tool", () => undefined, { name: `${index} ${name}` });
    for (let tool = 0; tool < 10; tool++) await hooks.dispatch("before_tool", call(`tool-${tool}`));
    tallies.flush();
    for (const report of reports) expect(report.length).toBeLessThanOrEqual(MAX_TALLIES);
    expect(reports.flat().reduce((sum, { count }) => sum + count, 0)).toBe(300);
  });

  test("count a middleware's change once", async () => {
    const { hooks, tallies, reports } = watchedHooks();
    hooks.use("before_tool", async (_context, next) => next({ toolInput: { command: "ls -l" } }), {
      name: "outer",
    });
    hooks.on("before_tool", () => undefined, { name: "inner" });
    await hooks.dispatch("before_tool", call("Shell"));
    tallies.flush();
    expect(counts(reports[0] ?? [])).toEqual({
      "outer before_tool Shell changed": 1,
      "inner before_tool Shell passed": 1,
    });
  });

  test("include the calls for a subagent, and leave the coordinator's own hook to the coordinator", async () => {
    const { hooks, tallies, reports } = watchedHooks();
    hooks.on("before_tool", () => undefined, { name: "guard" });
    hooks.on("before_tool", () => block("no"), { name: "on_tool_call", source: "coordinator" });
    const ofSubagent = createHooks({ inherits: [{ from: hooks }] });
    ofSubagent.on("before_tool", () => undefined, { name: "own", priority: 1 });
    await ofSubagent.dispatch("before_tool", call("Shell"));
    tallies.flush();
    expect(counts(reports[0] ?? [])).toEqual({
      "own before_tool Shell passed": 1,
      "guard before_tool Shell passed": 1,
    });
  });
});
