import type { Insights } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { untilFolded } from "../testing/insight-problems.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

/** What plain objects inherit, and what no name is. */
const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "isPrototypeOf"];
const ODD_TEXTS = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "👩‍👩‍👧‍👦",
  "x".repeat(9_000),
  "\u202E",
  "no such word",
];

/** Without characters that compress: as long as an index entry can become. */
const longName = (start: number) =>
  Array.from({ length: 200 }, (_, index) => String.fromCodePoint(start + ((index * 7919) % 20_000))).join("");

const acted = (fields: object) => ({
  event_type: "hook_acted",
  data: { event: "before_tool", hook: "guard", action: "refuse", ...fields },
});
const inSubagent = ({ event_type, data }: { event_type: string; data: object }) => ({
  event_type: "subagent",
  data: { subagent: "helper", tool_use_id: "c", event: { event_type, ...data } },
});
const usage = (model: unknown) => ({
  event_type: "step_end",
  data: { step: 1, status: "completed", usage: { model, input_tokens: 1, output_tokens: 1 } },
});
const tallied = (fields: object) => ({
  event_type: "hook_tallies",
  data: {
    tallies: [
      {
        hook: "guard",
        event: "before_tool",
        outcome: "passed",
        count: 1,
        duration_ms: 1,
        durations: [1],
        ...fields,
      },
    ],
  },
});
const nested = (levels: number): unknown => {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe.each(["embedded", "server"] as const)("the coordinator of an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  const database = (): Database => coordinator.served.coordinator.database;

  beforeAll(async () => {
    const server = kind === "server" && { url: await freshPostgres() };
    coordinator = await TestCoordinator.open({ ...server });
    await coordinator.save({ name: "plain", type: "procedural", command: ["cat"] });
    runner = await coordinator.runner();
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  async function startedRun() {
    await coordinator.start("plain");
    const run = await runner.claim();
    await runner.report(run, "started");
    return run;
  }

  /** A run that has reported these, with the response and what is stored of it. */
  async function runThat(events: readonly unknown[]) {
    const run = await startedRun();
    const { status, body } = await runner.report(run, "events", { first: 1, events });
    const next = { first: events.length + 1, events: [{ event_type: "note", data: {} }] };
    expect((await runner.report(run, "events", next)).status).toBe(204);
    await runner.complete(run);
    const stored = (await coordinator.events(run.run_id)).slice(-2 - events.length, -2);
    return { status, body: body as unknown, stored };
  }

  const readInsights = async () => (await coordinator.admin.get<Insights>("/insights?range=hour")).body;

  test.each<readonly [string, (word: string) => object]>([
    ["action of a hook", (word: string) => acted({ action: word })],
    [
      "action of a hook that is not enforced",
      (word: string) => acted({ action: word, not_enforced: "would_block" }),
    ],
    ["hook", (word: string) => acted({ hook: word })],
    ["event", (word: string) => acted({ event: word })],
    ["reason", (word: string) => acted({ reason: word })],
    ["changed field", (word: string) => acted({ action: "go_on", changed: [word] })],
    ["action in a subagent", (word: string) => inSubagent(acted({ action: word }))],
    ["action in a subagent of a subagent", (word: string) => inSubagent(inSubagent(acted({ action: word })))],
    ["model", (word: string) => usage(word)],
    ["hook of a tally", (word: string) => tallied({ hook: word.slice(0, 200) })],
    ["tool of a tally", (word: string) => tallied({ tool: word.slice(0, 200) })],
  ])("takes any text as the %s, and counts what comes after it", async (_, eventWith) => {
    const before = (await readInsights()).current.decisions.blocked ?? 0;
    const words = [...INHERITED, ...ODD_TEXTS];
    expect((await runThat(words.map(eventWith))).status).toBe(204);
    await runThat([acted({ hook: "after", reason: "counted" })]);
    await untilFolded(database());
    expect((await readInsights()).current.decisions.blocked).toBeGreaterThan(before);
    expect((await coordinator.admin.get("/hooks-in-use")).status).toBe(200);
    expect((await coordinator.admin.get("/runs?decision=blocked")).status).toBe(200);
    expect((await coordinator.admin.get("/metrics")).status).toBe(200);
  });

  test("counts outcomes that only a newer runner knows as themselves, whatever every object has of that name", async () => {
    const words = ["constructor", "__proto__", "pondered"];
    await runThat(words.map((outcome) => tallied({ hook: "newer", outcome })));
    await untilFolded(database());
    const { current, hooks } = await readInsights();
    for (const decisions of [current.decisions, hooks.find(({ hook }) => hook === "newer")?.decisions ?? {}])
      for (const word of words) expect(Object.getOwnPropertyDescriptor(decisions, word)?.value).toBe(1);
  });

  test("takes the longest names and reasons, which are shortened, and output of a megabyte", async () => {
    const [hook, event, tool] = [longName(0x4e00), longName(0x5000), longName(0x5200)];
    const { status } = await runThat([
      acted({
        hook: hook.repeat(50),
        event: event.repeat(50),
        reason: tool.repeat(50),
        changed: [hook, tool],
      }),
      tallied({ hook, event, tool }),
      usage(hook.repeat(50)),
    ]);
    expect(status).toBe(204);
    expect((await runThat([{ event_type: "text", data: { text: "x".repeat(1_000_000) } }])).status).toBe(204);
    await untilFolded(database());
    expect((await readInsights()).hooks.map((row) => row.hook)).toContain(hook);
  });

  test("replaces characters that no database keeps, and stores everything else of the event", async () => {
    const { stored } = await runThat([acted({ hook: "a\0b", reason: "half \ud800", changed: ["\0"] })]);
    expect(stored).toMatchObject([{ hook: "a\ufffdb", reason: "half \ufffd", changed: ["\ufffd"] }]);
  });

  test("stores fields that have the name of something that every object has", async () => {
    const { stored } = await runThat([
      { event_type: "note", data: { constructor: 1, toString: "x", id: "forged" } },
    ]);
    expect(stored).toMatchObject([{ constructor: 1, toString: "x", id: expect.stringMatching(/^\d+-\d+$/) }]);
  });

  const REFUSED: readonly (readonly [string, unknown, string])[] = [
    ["an action that is a number", acted({ action: 7 }), "data.action"],
    ["an action that is an object", acted({ action: { toString: 1 } }), "data.action"],
    ["an action that is nested deeply", acted({ action: nested(150) }), "data.action"],
    ["an action of more characters than a name has", acted({ action: "x".repeat(10_001) }), "data.action"],
    ["a hook that is an array", acted({ hook: ["guard"] }), "data.hook"],
    ["a reason that is too long", acted({ reason: "x".repeat(500_000) }), "data.reason"],
    [
      "tallies that are an object",
      { event_type: "hook_tallies", data: { tallies: { length: 1 } } },
      "data.tallies",
    ],
    ["a count that is not a number", tallied({ count: "1" }), "data.tallies.0.count"],
    [
      "usage that is below zero",
      {
        event_type: "step_end",
        data: { step: 1, status: "completed", usage: { input_tokens: -1, output_tokens: 0 } },
      },
      "data.usage.input_tokens",
    ],
    ["an odd event of a subagent", inSubagent(acted({ action: 7 })), "data.event.action"],
    [
      "an odd event of a subagent of a subagent",
      inSubagent(inSubagent(acted({ hook: 7 }))),
      "data.event.event.hook",
    ],
    [
      "an event of the coordinator in a subagent",
      inSubagent({ event_type: "hook_complete", data: {} }),
      "data.event.event_type",
    ],
    ["an event of the coordinator", { event_type: "run_completed", data: {} }, "event_type"],
    ["a type that is none", { event_type: "__proto__", data: {} }, "event_type"],
    ["data that is an array", { event_type: "note", data: [] }, "data"],
    ["a time in the future", { ...acted({}), ms_ago: -1 }, "ms_ago"],
    ["a field that there is not", { ...acted({}), colour: "red" }, "colour"],
    ["a number", 7, "expected object"],
    ["nothing", null, "expected object"],
  ];

  test.each(REFUSED)(
    "refuses %s alone, stores the others, and says in its place that it is missing",
    async (_, odd, at) => {
      const [first, last] = [acted({ reason: "before it" }), acted({ reason: "after it" })];
      const { status, body, stored } = await runThat([first, odd, last]);
      expect({ status, body }).toEqual({
        status: 200,
        body: { refused: [{ index: 1, detail: expect.stringContaining(at) }] },
      });
      expect(stored).toMatchObject([
        { reason: "before it" },
        { event_type: "events_dropped", count: 1, reason: expect.stringContaining(at) },
        { reason: "after it" },
      ]);
    },
  );

  test("refuses a report of which nothing fits, and stores nothing of it", async () => {
    const run = await startedRun();
    const events = REFUSED.map(([, odd]) => odd);
    const { status, body } = await runner.report(run, "events", { first: 1, events });
    expect({ status, body }).toMatchObject({ status: 400, body: { field: "events.0.data.action" } });
    expect((await coordinator.events(run.run_id)).at(-1)).toMatchObject({ event_type: "run_started" });
    await runner.complete(run);
  });

  test("does not store the events twice of a report that is repeated, refused ones among them", async () => {
    const run = await startedRun();
    const report = { first: 1, events: [acted({ reason: "once" }), acted({ action: 7 })] };
    for (let times = 0; times < 3; times++)
      expect((await runner.report(run, "events", report)).status).toBe(200);
    const types = (await coordinator.events(run.run_id)).map(({ event_type }) => event_type);
    expect(types.slice(-2)).toEqual(["hook_acted", "events_dropped"]);
    expect(types.filter((type) => type === "hook_acted")).toHaveLength(1);
    await runner.complete(run);
  });
});
