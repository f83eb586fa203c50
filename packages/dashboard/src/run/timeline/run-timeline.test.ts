import { describe, expect, test } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { runTimeline } from "./run-timeline.ts";
import {
  approvalOf,
  detailOf,
  type EventSpec,
  eventsOf,
  hookOf,
  moment,
  since,
} from "./timeline-fixtures.ts";
import type { Timeline } from "./timeline-row.ts";

/** A timeline as text: `    Step 1 [20–30] done`. */
function textOf({ rows }: Timeline): string[] {
  return rows.map(({ depth, label, from, to, state }) => {
    const until = to === null ? "…" : since(to);
    return `${"  ".repeat(depth)}${label} [${since(from)}–${until}] ${state}`;
  });
}

const STARTED = [
  ["run_created", 0],
  ["run_claimed", 10, { runner_id: "runner_1", attempt: 1 }],
  ["run_started", 20, { runner_id: "runner_1" }],
] as const;

describe("a successful run", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_start", 20, { step: 1 }],
    ["text", 25, { step: 1, text: "Let me " }],
    ["text", 26, { step: 1, text: "see." }],
    ["tool_start", 40, { step: 1, tool_use_id: "a", tool_name: "Shell", tool_input: { command: "ls  -l" } }],
    [
      "tool_end",
      90,
      { step: 1, tool_use_id: "a", tool_name: "Shell", status: "completed", result: 7, duration_ms: 55 },
    ],
    ["step_end", 100, { step: 1, status: "completed" }],
    ["step_start", 100, { step: 2 }],
    ["step_end", 120, { step: 2, status: "completed" }],
    ["agent_usage", 121, { steps: 2 }],
    ["run_completed", 130],
  );
  const timeline = runTimeline(detailOf({ status: "completed", finished_at: moment(130) }), events);

  test("is built from its events, nested", () => {
    expect(textOf(timeline)).toEqual([
      "Queued [0–10] done",
      "Claimed [10–20] done",
      "Running [20–130] done",
      "  Step 1 [20–100] done",
      "    Shell [35–90] done",
      "  Step 2 [100–120] done",
    ]);
    expect([since(timeline.from), since(timeline.to), timeline.isOpen]).toEqual([0, 130, false]);
  });

  test("contains the text of steps, and the input and result of tools", () => {
    const [step, tool] = timeline.rows.slice(3);
    expect(step).toMatchObject({ about: "Let me see.", detail: { text: "Let me see." } });
    expect(tool).toMatchObject({ about: "ls -l", detail: { input: { command: "ls  -l" }, result: 7 } });
    expect(since(tool?.started ?? 0)).toBe(40);
  });
});

test("a running run and its current step are open", () => {
  const timeline = runTimeline(detailOf(), eventsOf(...STARTED, ["step_start", 30, { step: 1 }]));
  expect(textOf(timeline).slice(2)).toEqual(["Running [20–…] in_progress", "  Step 1 [30–…] in_progress"]);
  expect(timeline.isOpen).toBe(true);
});

test("an unclaimed run is waiting", () => {
  const timeline = runTimeline(detailOf({ status: "pending" }), eventsOf(["run_created", 0]));
  expect(textOf(timeline)).toEqual(["Queued [0–…] waiting"]);
});

test("every attempt has its own phases and steps, and the lost one has the reason", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_start", 21, { step: 1 }],
    ["tool_start", 22, { step: 1, tool_use_id: "call-1", tool_name: "Shell", tool_input: {} }],
    ["run_retried", 500, { reason: "the runner stopped answering", attempt: 1, max_attempts: 2 }],
    ["run_claimed", 510, { runner_id: "runner_2", attempt: 2 }],
    ["run_started", 520],
    ["step_start", 521, { step: 1 }],
    [
      "tool_end",
      530,
      { step: 1, tool_use_id: "call-1", tool_name: "Shell", status: "completed", duration_ms: 4 },
    ],
    ["step_end", 531, { step: 1, status: "completed" }],
    ["run_completed", 540],
  );
  const hook = hookOf({
    hook_type: "on_tool_call",
    tool_use_id: "call-1",
    created_at: moment(525),
    finished_at: moment(527),
  });
  const run = detailOf({
    status: "completed",
    finished_at: moment(540),
    attempt: 2,
    max_attempts: 2,
    hooks: [hook],
  });
  const timeline = runTimeline(run, events);
  expect(textOf(timeline)).toEqual([
    "Queued [0–10] done",
    "Claimed [10–20] done",
    "Running [20–500] failed",
    "  Step 1 [21–500] unknown",
    "    Shell [22–500] unknown",
    "Waiting for a runner [500–510] done",
    "Claimed, attempt 2 [510–520] done",
    "Running, attempt 2 [520–540] done",
    "  Step 1 [521–531] done",
    "    Shell [525–530] done",
    "      on_tool_call [525–527] done",
  ]);
  expect(timeline.rows[2]?.detail).toMatchObject({ reason: "the runner stopped answering" });
});

test("a released claim is followed by the next one", () => {
  const events = eventsOf(
    ["run_created", 0],
    ["run_claimed", 10, { attempt: 1 }],
    ["run_released", 15, { reason: "the connection broke off" }],
    ["run_claimed", 20, { attempt: 1 }],
    ["run_started", 22],
  );
  expect(textOf(runTimeline(detailOf(), events))).toEqual([
    "Queued [0–10] done",
    "Claimed [10–15] unknown",
    "Waiting for a runner [15–20] done",
    "Claimed [20–22] done",
    "Running [22–…] in_progress",
  ]);
});

describe("hooks", () => {
  test("at the start are part of the preparation, with waiting and work separate; a block ends the run", () => {
    const hook = hookOf({
      hook_type: "on_run_start",
      state: "blocked",
      created_at: moment(5),
      started_at: moment(8),
      finished_at: moment(30),
    });
    const events = eventsOf(
      ["run_created", 0],
      ["run_preparing", 5],
      ["hook_start", 6, { hook_id: hook.hook_id }],
      ["hook_blocked", 30, { hook_id: hook.hook_id }],
      ["run_failed", 31, { block_reason: "no", error: "no" }],
    );
    const run = detailOf({ status: "failed", block_reason: "no", finished_at: moment(31), hooks: [hook] });
    const timeline = runTimeline(run, events);
    expect(textOf(timeline)).toEqual([
      "Queued [0–5] done",
      "Preparing [5–31] blocked",
      "  on_run_start [5–30] blocked",
    ]);
    expect(since(timeline.rows[2]?.started ?? 0)).toBe(8);
  });

  test("that still run keep their phase open", () => {
    const hook = hookOf({ hook_type: "on_run_start", state: "waiting", created_at: moment(5) });
    const events = eventsOf(["run_created", 0], ["run_preparing", 5]);
    expect(textOf(runTimeline(detailOf({ status: "preparing", hooks: [hook] }), events))).toEqual([
      "Queued [0–5] done",
      "Preparing [5–…] in_progress",
      "  on_run_start [5–…] in_progress",
    ]);
  });

  test("that ask for approval have the approval as a child", () => {
    const hook = hookOf({ hook_type: "on_run_start", state: "asking", created_at: moment(5) });
    const question = approvalOf({ hook_id: hook.hook_id, created_at: moment(9) });
    const events = eventsOf(["run_created", 0], ["run_preparing", 5], ["approval_requested", 9]);
    const run = detailOf({ status: "preparing", hooks: [hook], approvals: [question] });
    expect(textOf(runTimeline(run, events)).slice(2)).toEqual([
      "  on_run_start [5–…] asking",
      "    Approval [9–…] asking",
    ]);
  });

  test("of a result are part of the finishing phase; asynchronous ones come after the end", () => {
    const result = hookOf({ hook_type: "on_result", created_at: moment(100), finished_at: moment(110) });
    const finish = hookOf({
      hook_type: "on_run_finish",
      mode: "async",
      created_at: moment(111),
      finished_at: moment(150),
      state: "failed",
    });
    const error = hookOf({ hook_type: "on_run_error", mode: "async", created_at: moment(112) });
    const events = eventsOf(...STARTED, ["run_finishing", 100], ["run_completed", 111]);
    const run = detailOf({ status: "completed", finished_at: moment(111), hooks: [result, finish, error] });
    const timeline = runTimeline(run, events);
    expect(textOf(timeline).slice(2)).toEqual([
      "Running [20–100] done",
      "Finishing [100–111] done",
      "  on_result [100–110] done",
      "After the end [111–…] in_progress",
      "  on_run_finish [111–150] failed",
      "  on_run_error [112–…] done",
    ]);
    expect(timeline.isOpen).toBe(true);
  });

  test("of a tool call are its children, also before it starts and when it was blocked", () => {
    const judged = (id: string, created: number, finished: number | null) =>
      hookOf({
        hook_id: `hook_${id}`,
        hook_type: "on_tool_call",
        tool_use_id: id,
        input: { tool_name: "Shell", tool_input: { command: `do ${id}` } },
        created_at: moment(created),
        finished_at: finished === null ? null : moment(finished),
        state: finished === null ? "waiting" : "blocked",
      });
    const events = eventsOf(
      ...STARTED,
      ["step_start", 20, { step: 1 }],
      [
        "hook_acted",
        40,
        { hook: "on_tool_call", event: "before_tool", action: "refuse", reason: "no", tool_use_id: "a" },
      ],
      [
        "tool_end",
        41,
        { step: 1, tool_use_id: "a", tool_name: "Shell", status: "blocked", reason: "no", duration_ms: 19 },
      ],
    );
    const timeline = runTimeline(detailOf({ hooks: [judged("a", 23, 39), judged("b", 42, null)] }), events);
    expect(textOf(timeline).slice(3)).toEqual([
      "  Step 1 [20–…] in_progress",
      "    Shell [22–41] blocked",
      "      on_tool_call [23–39] blocked",
      "    Shell [42–…] in_progress",
      "      on_tool_call [42–…] in_progress",
    ]);
    expect(timeline.rows[4]).toMatchObject({
      about: "do a",
      detail: {
        input: { command: "do a" },
        reason: "no",
        acts: [{ hook: "on_tool_call", action: "refuse" }],
      },
    });
  });

  test("on the runner are children of their tool call, before and after its start", () => {
    const call = { step: 1, tool_use_id: "a", tool_name: "Shell" };
    const act = {
      hook: "tidy",
      event: "before_tool",
      action: "go_on",
      changed: ["toolInput"],
      tool_use_id: "a",
    };
    const events = eventsOf(
      ...STARTED,
      ["step_start", 20, { step: 1 }],
      ["hook_acted", 30, act],
      ["tool_start", 31, { ...call, tool_input: {} }],
      ["hook_acted", 40, { ...act, hook: "lint", event: "after_tool", action: "refuse", reason: "no" }],
      ["tool_end", 41, { ...call, status: "completed", duration_ms: 13 }],
    );
    const timeline = runTimeline(detailOf(), events);
    expect(textOf(timeline).slice(4)).toEqual([
      "    Shell [28–41] done",
      "      tidy [30–30] done",
      "      lint [40–40] blocked",
    ]);
    expect(timeline.rows[4]?.detail).toMatchObject({ acts: [{ hook: "tidy" }, { hook: "lint" }] });
  });

  test("on the runner without a tool call are rows of their own", () => {
    const events = eventsOf(
      ...STARTED,
      ["step_start", 20, { step: 1 }],
      ["hook_acted", 30, { hook: "tests", event: "before_stop", action: "hold", reason: "not yet" }],
      [
        "hook_acted",
        35,
        { hook: "broken", event: "after_step", action: "go_on", reason: "oops", failed: true },
      ],
    );
    expect(textOf(runTimeline(detailOf(), events)).slice(4)).toEqual([
      "    tests [30–30] blocked",
      "    broken [35–35] failed",
    ]);
  });
});

test("a stopped run shows the stopping phase beside the running phase", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_start", 25, { step: 1 }],
    ["run_stopping", 60, { reason: "enough" }],
    ["run_stopped", 80, { stop_reason: "enough" }],
  );
  const timeline = runTimeline(detailOf({ status: "stopped", finished_at: moment(80) }), events);
  expect(textOf(timeline).slice(2)).toEqual([
    "Running [20–80] stopped",
    "  Step 1 [25–80] stopped",
    "Stopping [60–80] done",
  ]);
  expect(timeline.rows.at(-1)?.detail).toMatchObject({ reason: "enough" });
});

test("a run that was stopped before its start ends in the queue", () => {
  const events = eventsOf(["run_created", 0], ["run_stopped", 40]);
  const run = detailOf({ status: "stopped", finished_at: moment(40) });
  expect(textOf(runTimeline(run, events))).toEqual(["Queued [0–40] stopped"]);
});

test("a run that timed out has failed, and the ends of its tools are unknown", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_start", 20, { step: 1 }],
    ["tool_start", 30, { step: 1, tool_use_id: "a", tool_name: "Shell", tool_input: {} }],
    ["run_failed", 1_000, { error: "it took longer", error_code: "timeout" }],
  );
  const run = detailOf({ status: "failed", error_code: "timeout", finished_at: moment(1_000) });
  expect(textOf(runTimeline(run, events)).slice(2)).toEqual([
    "Running [20–1000] failed",
    "  Step 1 [20–1000] unknown",
    "    Shell [30–1000] unknown",
  ]);
});

test("the steps of a subagent are children of its tool call, at any depth", () => {
  const nested = (tool_use_id: string, event: object) => ({ subagent: "scout", tool_use_id, event });
  const inner = { event_type: "step_start", step: 1 };
  const events = eventsOf(
    ...STARTED,
    ["step_start", 20, { step: 1 }],
    ["tool_start", 30, { step: 1, tool_use_id: "a", tool_name: "Task", tool_input: {} }],
    ["subagent", 40, nested("a", inner)],
    [
      "subagent",
      41,
      nested("a", { event_type: "tool_start", step: 1, tool_use_id: "x", tool_name: "Task", tool_input: {} }),
    ],
    ["subagent", 42, nested("a", { event_type: "subagent", ...nested("x", inner) })],
    ["subagent", 50, nested("a", { event_type: "step_end", step: 1, status: "completed" })],
    ["tool_end", 60, { step: 1, tool_use_id: "a", tool_name: "Task", status: "completed", duration_ms: 30 }],
  );
  expect(textOf(runTimeline(detailOf(), events)).slice(4)).toEqual([
    "    Task [30–60] done",
    "      Step 1 [40–50] done",
    "        Task [41–…] in_progress",
    "          Step 1 [42–…] in_progress",
  ]);
});

test("a retried model call shows the pause, and a compaction its time", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_start", 20, { step: 1 }],
    ["retry", 30, { step: 1, attempt: 1, delay_ms: 500, error: "overloaded" }],
    ["compacted", 600, { messages_before: 40, messages_after: 6 }],
  );
  expect(textOf(runTimeline(detailOf(), events)).slice(4)).toEqual([
    "    Model call retried, attempt 2 [30–530] done",
    "    Conversation compacted [600–600] done",
  ]);
});

test("without events, the times of the record are shown", () => {
  const run = detailOf({ status: "failed", started_at: moment(30), finished_at: moment(90) });
  expect(textOf(runTimeline(run, []))).toEqual(["Queued [0–30] done", "Running [30–90] failed"]);
  expect(textOf(runTimeline(detailOf({ status: "pending" }), []))).toEqual(["Queued [0–…] waiting"]);
  const blocked = detailOf({ status: "failed", block_reason: "no", finished_at: moment(5) });
  expect(textOf(runTimeline(blocked, []))).toEqual(["Queued [0–5] blocked"]);
});

test("an ended run is closed even if its last event was not read yet", () => {
  const run = detailOf({ status: "completed", finished_at: moment(90) });
  const timeline = runTimeline(run, eventsOf(...STARTED, ["step_start", 30, { step: 1 }]));
  expect(textOf(timeline).slice(2)).toEqual(["Running [20–90] done", "  Step 1 [30–90] unknown"]);
  expect(timeline.isOpen).toBe(false);
});

test("the timeline ignores malformed events", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_end", 30],
    ["tool_end", 40],
    ["subagent", 41],
    ["hook_acted", 42],
    ["text", 43, { text: 5 }],
    ["retry", 44],
    ["run_something", 45],
  );
  expect(() => runTimeline(detailOf(), events)).not.toThrow();
});

test("the timeline keeps the ids of rows when events are added", () => {
  const events = eventsOf(
    ...STARTED,
    ["step_start", 20, { step: 1 }],
    ["step_end", 30, { step: 1 }],
    ["step_start", 31, { step: 2 }],
  );
  const before = runTimeline(detailOf(), events.slice(0, 4)).rows.map(({ id }) => id);
  const after = runTimeline(detailOf(), events).rows.map(({ id }) => id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(new Set(after).size).toBe(after.length);
});

test("the timeline lays out a thousand steps with tools and hooks within two seconds", () => {
  const specs: EventSpec[] = [...STARTED];
  const hooks = [];
  for (let step = 1; step <= 1_000; step++) {
    const at = 20 + step * 10;
    const call = { step, tool_use_id: `call-${step}`, tool_name: "Shell" };
    specs.push(["step_start", at, { step }], ["text", at, { step, text: "x" }]);
    specs.push(["tool_start", at + 2, { ...call, tool_input: { command: "ls" } }]);
    specs.push(
      ["tool_end", at + 6, { ...call, status: "completed", duration_ms: 5 }],
      ["step_end", at + 9, { step, status: "completed" }],
    );
    hooks.push(
      hookOf({
        hook_type: "on_tool_call",
        hook_id: `hook_${step}`,
        tool_use_id: `call-${step}`,
        created_at: moment(at + 1),
        finished_at: moment(at + 2),
      }),
    );
  }
  const events = eventsOf(...specs);
  const begin = threadTimeMs();
  const { rows } = runTimeline(detailOf({ hooks }), events);
  expect(rows.length).toBe(3_003);
  expect(threadTimeMs() - begin).toBeLessThan(2_000);
});

test("nothing begins before its parent, even if the clocks differ", () => {
  const run = detailOf({
    hooks: [
      hookOf({
        hook_type: "on_tool_call",
        tool_use_id: "t1",
        input: { tool_name: "Shell", tool_input: { command: "ls" } },
        created_at: moment(2),
        started_at: moment(3),
        finished_at: moment(4),
      }),
    ],
  });
  const { rows } = runTimeline(
    run,
    eventsOf(
      ["run_created", 5, { kind: "client", agent_name: "worker", parent_run_id: null }],
      ["run_started", 10, { runner_id: "r" }],
      ["step_start", 20, { step: 1 }],
      ["tool_start", 30, { step: 1, tool_use_id: "t1", tool_name: "Shell", tool_input: { command: "ls" } }],
    ),
  );
  const parents: number[] = [];
  for (const { depth, from, to, label } of rows) {
    expect(from, label).toBeGreaterThanOrEqual(parents[depth - 1] ?? 0);
    if (to !== null) expect(to, label).toBeGreaterThanOrEqual(from);
    parents[depth] = from;
  }
  expect(rows.some(({ label }) => label === "on_tool_call")).toBe(true);
});

test("the run of a hook unfolds below the hook, with ids of its own", () => {
  const hook = hookOf({ hook_type: "on_run_start", created_at: moment(1), finished_at: moment(9) });
  const events = eventsOf(
    ["run_created", 0, { kind: "client", agent_name: "worker", parent_run_id: null }],
    ["run_preparing", 1],
  );
  const child = {
    run: detailOf({ run_id: "run_2", created_at: moment(2), started_at: moment(3), finished_at: moment(8) }),
    events: [],
  };
  const folded = runTimeline(detailOf({ hooks: [hook] }), events);
  const { rows } = runTimeline(detailOf({ hooks: [hook] }), events, new Map([["run_2", child]]));
  const index = rows.findIndex(({ id }) => id === hook.hook_id);
  const added = rows.slice(index + 1, index + 3);
  expect(rows.length).toBe(folded.rows.length + 2);
  expect(added.map(({ from, to }) => [since(from), since(to ?? 0)])).toEqual([
    [2, 3],
    [3, 8],
  ]);
  expect(added.map(({ depth }) => depth)).toEqual([2, 2]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});
