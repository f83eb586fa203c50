import type { AssignedRun, BlueprintInput } from "@tenterhook/protocol/runs";
import { ApiClient, checkCosts, INSIGHT_CHECKS, TestRunner } from "@tenterhook/test-support";
import { vi } from "vitest";
import { TestDashboard } from "./test-dashboard.ts";

export const PRICES = { currency: "EUR", models: { large: { input: 3, output: 15 } } };

const judge = { type: "agent", agent_name: "judge", on_error: "block" } as const;

const tally = (hook: string, outcome: string, count: number, tool?: string) => ({
  ...{ hook, event: "before_tool", ...(tool !== undefined && { tool }) },
  ...{ outcome, count, duration_ms: count, durations: [count] },
});
const step = (model: string, input_tokens: number, output_tokens: number) => ({
  event_type: "step_end",
  data: { step: 1, status: "completed", usage: { model, input_tokens, output_tokens } },
});

/** What a run with `work: true` reports. */
const REPORT = [
  {
    event_type: "hook_tallies",
    data: {
      tallies: [
        tally("guard", "passed", 7, "Shell"),
        tally("guard", "blocked", 2, "Shell"),
        tally("guard", "passed", 5, "Read"),
        tally("gate", "kept_running", 1),
        tally("gate", "would_block", 3),
      ],
    },
  },
  step("large", 1_000_000, 100_000),
  step("small", 500, 50),
];

/** A dashboard whose runs have known decisions: what the hooks of a run are asked about decides what they answer. */
export class CountedDashboard {
  readonly dashboard: TestDashboard;
  readonly #runner: TestRunner;
  readonly #stop: () => Promise<void>;

  private constructor(dashboard: TestDashboard, runner: TestRunner) {
    this.dashboard = dashboard;
    this.#runner = runner;
    this.#stop = runner.work((run) => (run.agent_name === "judge" ? judgement(run) : this.#work(run)));
  }

  static async open(): Promise<CountedDashboard> {
    const dashboard = await TestDashboard.share({ prices: PRICES });
    const { fleet } = dashboard;
    const admin = new ApiClient(fleet.served.url, fleet.served.token);
    const agent = (name: string, hooks: BlueprintInput["hooks"] = {}): BlueprintInput => ({
      ...{ name, type: "procedural", command: ["cat"], hooks },
    });
    await fleet.put(agent("judge"));
    await fleet.demand("PUT", "/hooks/curfew", judge);
    await fleet.put(agent("plain"));
    await fleet.put(agent("judged", { on_run_start: { $ref: "curfew" } }));
    const runner = await TestRunner.register(admin, { name: "builder", concurrency: 4 });
    return new CountedDashboard(dashboard, runner);
  }

  /** Two runs with tallies, one that fails, and one for each answer of a start hook; resolves when all are counted. */
  async fill(): Promise<void> {
    const { fleet } = this.dashboard;
    await fleet.run("plain", { work: true });
    await fleet.run("plain", { work: true });
    await fleet.run("plain", { fail: true });
    for (const topic of ["forbidden", "crash", "rewrite", "allowed"]) await fleet.run("judged", { topic });
    await this.untilCounted();
  }

  async untilCounted(): Promise<void> {
    const [, text = ""] = INSIGHT_CHECKS[0] ?? [];
    await vi.waitUntil(async () => (await this.query(text)).length === 0, { timeout: 60_000 });
  }

  /** Where the sums are not what the events say. */
  async problems(): Promise<string[]> {
    const found: string[] = [];
    for (const [sentence, text] of [...INSIGHT_CHECKS, checkCosts(PRICES)])
      for (const { id } of await this.query<{ id: string }>(text)) found.push(`${sentence}: ${id}`);
    return found;
  }

  query<R>(text: string): Promise<R[]> {
    return this.dashboard.fleet.served.coordinator.database.run<R>({ name: "", text });
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.dashboard.close();
  }

  async #work(run: AssignedRun) {
    await this.#runner.report(run, "started");
    if ("work" in run.parameters) await this.#runner.report(run, "events", { first: 1, events: REPORT });
    if ("fail" in run.parameters) throw new Error("it was to fail");
    return { result_text: "done" };
  }
}

async function judgement({ parameters }: AssignedRun) {
  const text = JSON.stringify(parameters);
  if (text.includes("forbidden")) return { result_data: { action: "block", block_reason: "forbidden" } };
  if (text.includes("crash")) throw new Error("the judge is ill");
  if (text.includes("rewrite")) return { result_data: { action: "continue", parameters: { topic: "x" } } };
  return { result_data: { action: "continue" } };
}
