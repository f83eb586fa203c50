import type { AssignedRun } from "@tenterhook/protocol/runs";
import type { TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const PRICES = { currency: "EUR", models: { large: { input: 3, output: 15 } } };
/** A line of a metric in the text format: its name, its labels with escaped values, its number. */
const SERIES =
  /^[a-z_]+(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? -?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN)$/;
const COMMENT = /^# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))$/;

let coordinator: TestCoordinator;
let runner: TestRunner;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ prices: PRICES });
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
  runner = await coordinator.runner();
});
afterAll(() => coordinator.close());

const readMetrics = async () => (await coordinator.admin.get<string>("/metrics")).body;

const tally = (hook: string, outcome: string, count: number, durations: readonly number[] = []) => {
  return { hook, event: "before_tool", tool: "Shell", outcome, count, duration_ms: 3 * count, durations };
};
const used = (model: string, input_tokens: number, output_tokens: number) => ({
  event_type: "step_end",
  data: { step: 1, status: "completed", usage: { model, input_tokens, output_tokens } },
});

/** A run whose runner reports these events. */
async function report(...events: readonly object[]): Promise<AssignedRun> {
  const { run_id } = await coordinator.start("echo");
  const run = await runner.claim();
  await runner.report(run, "started");
  expect((await runner.report(run, "events", { first: 1, events })).status).toBe(204);
  await runner.complete(run);
  await coordinator.ended(run_id);
  return run;
}

const tallied = (...tallies: readonly object[]) => ({ event_type: "hook_tallies", data: { tallies } });

describe("the metrics of hooks and models", () => {
  test("have decisions, durations, tokens and cost, of runners and their subagents", async () => {
    const { run_id } = await report(
      // Of ten calls seven took up to 2.5 ms, two up to 25 ms, one more than 300 s.
      tallied(
        tally("guard", "passed", 10, [0, 0, 0, 0, 7, 0, 0, 2, ...Array(11).fill(0), 1]),
        tally("guard", "blocked", 2),
      ),
      {
        event_type: "hook_acted",
        data: { event: "before_tool", hook: "earlier", action: "refuse", reason: "no" },
      },
      {
        event_type: "hook_acted",
        data: { event: "before_tool", hook: "guard", action: "refuse", tallied: true },
      },
      used("large", 1_000, 100),
      used("unpriced", 10, 1),
      {
        event_type: "subagent",
        data: {
          subagent: "helper",
          tool_use_id: "c1",
          event: { event_type: "step_end", ...used("large", 500, 50).data },
        },
      },
    );
    await expect.poll(readMetrics).toContain('hook="earlier"');
    const text = await readMetrics();
    const lines = text.split("\n");
    for (const line of [
      'tenterhook_hook_decisions_total{kind="runner",hook="guard",outcome="passed"} 10',
      'tenterhook_hook_decisions_total{kind="runner",hook="guard",outcome="blocked"} 2',
      'tenterhook_hook_decisions_total{kind="runner",hook="earlier",outcome="blocked"} 1',
      'tenterhook_hook_call_duration_seconds_bucket{kind="runner",hook="guard",le="0.001"} 0',
      'tenterhook_hook_call_duration_seconds_bucket{kind="runner",hook="guard",le="0.005"} 7',
      'tenterhook_hook_call_duration_seconds_bucket{kind="runner",hook="guard",le="0.025"} 9',
      'tenterhook_hook_call_duration_seconds_bucket{kind="runner",hook="guard",le="300"} 9',
      'tenterhook_hook_call_duration_seconds_bucket{kind="runner",hook="guard",le="+Inf"} 10',
      'tenterhook_hook_call_duration_seconds_sum{kind="runner",hook="guard"} 0.03',
      'tenterhook_hook_call_duration_seconds_count{kind="runner",hook="guard"} 10',
      'tenterhook_model_calls_total{model="large"} 2',
      'tenterhook_tokens_total{model="large",direction="input"} 1500',
      'tenterhook_tokens_total{model="large",direction="output"} 150',
      'tenterhook_tokens_total{model="unpriced",direction="input"} 10',
    ])
      expect(lines).toContain(line);
    const cost = lines.filter((line) => line.startsWith("tenterhook_cost_total{"));
    expect(cost).toHaveLength(1);
    expect(cost[0]).toMatch(/^tenterhook_cost_total\{model="large",currency="EUR"\} /);
    expect(Number(cost[0]?.split(" ").at(-1))).toBeCloseTo(0.00675, 9);
    expect(text).not.toContain(run_id);
  });

  test("stay valid for any name of a hook, a model or an outcome", async () => {
    const name = 'a "quoted" \\ name\nwith a line end, a tab\t and \u{1f600}';
    await report(
      tallied(tally(name, "passed", 1, [1]), tally("odd", "an_outcome_of_tomorrow", 1)),
      used(name, 1, 1),
    );
    await expect
      .poll(readMetrics)
      .toContain('a \\"quoted\\" \\\\ name\\nwith a line end, a tab\t and \u{1f600}');
    const text = await readMetrics();
    expect(text).toContain('hook="odd",outcome="(other)"} 1');
    expect(text.endsWith("\n")).toBe(true);
    const invalid = text
      .slice(0, -1)
      .split("\n")
      .filter((line) => !SERIES.test(line) && !COMMENT.test(line));
    expect(invalid).toEqual([]);
  });
});
