import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LocalFleet, type RunView } from "./local-fleet.ts";

// What run hooks are for, end to end: a real coordinator, a real runner, real programs as agents.

interface Listed {
  readonly runs: readonly RunView[];
}

describe("agent chaining", () => {
  test("the next agent gets the result as its parameters, in a child session, and the client has its own at once", async () => {
    const fleet = await LocalFleet.start();
    await fleet.program(
      { name: "data-processor" },
      `
      appendFileSync(${JSON.stringify(join(fleet.folder, "processed"))}, JSON.stringify(input.result_data) + "\\n");
      return { processed: input.result_data.records.length };`,
    );
    await fleet.program(
      {
        name: "data-extractor",
        output_schema: {
          type: "object",
          properties: { records: { type: "array" }, source: { type: "string" } },
        },
        hooks: { on_run_finish: { type: "agent", agent_name: "data-processor", on_error: "block" } },
      },
      "return { records: [1, 2, 3], source: input.source };",
    );
    await fleet.runner();
    const run = await fleet.run("data-extractor", { source: "db" });
    expect(run).toMatchObject({ status: "completed", result_data: { records: [1, 2, 3], source: "db" } });
    const listed = async () => (await fleet.demand<Listed>("GET", "/runs?agent=data-processor")).runs[0];
    await expect.poll(listed).toMatchObject({ status: "completed", kind: "chained" });
    const chained = await fleet.demand<RunView>("GET", `/runs/${(await listed())?.run_id}`);
    expect(chained).toMatchObject({ result_data: { processed: 3 }, parameters: { run_id: run.run_id } });
    const session = await fleet.demand<{ parent_session_id: string }>(
      "GET",
      `/sessions/${chained.session_id}`,
    );
    expect(session.parent_session_id).toBe(run.session_id);
    const processed = JSON.parse(await readFile(join(fleet.folder, "processed"), "utf8"));
    expect(processed).toEqual({ records: [1, 2, 3], source: "db" });
  });
});

describe("parameter enrichment", () => {
  test("the agent runs with what the hook added, and both are kept", async () => {
    const fleet = await LocalFleet.start();
    await fleet.program(
      { name: "path-resolver" },
      "return { action: 'continue', parameters: { ...input.parameters, resolved_path: '/data/reports/' + input.parameters.report_id + '.csv' } };",
    );
    await fleet.program(
      {
        name: "report-generator",
        parameters_schema: {
          type: "object",
          required: ["report_id"],
          properties: { report_id: { type: "string" }, resolved_path: { type: "string" } },
        },
        hooks: { on_run_start: { type: "agent", agent_name: "path-resolver", on_error: "block" } },
      },
      "return { used: input.resolved_path };",
    );
    await fleet.runner();
    const run = await fleet.run("report-generator", { report_id: "R123" });
    expect(run).toMatchObject({
      status: "completed",
      result_data: { used: "/data/reports/R123.csv" },
      parameters: { report_id: "R123", resolved_path: "/data/reports/R123.csv" },
      original_parameters: { report_id: "R123" },
    });
    expect(
      (await fleet.ask("POST", "/runs", { agent_name: "report-generator", parameters: {} })).status,
    ).toBe(422);
  });

  test("what no longer fits the agent's schema is malformed, and fails by on_error", async () => {
    const fleet = await LocalFleet.start();
    await fleet.program({ name: "breaker" }, "return { action: 'continue', parameters: { report_id: 5 } };");
    await fleet.program(
      {
        name: "report-generator",
        parameters_schema: { type: "object", properties: { report_id: { type: "string" } } },
        hooks: { on_run_start: { type: "agent", agent_name: "breaker", on_error: "block" } },
      },
      "return { ran: true };",
    );
    await fleet.runner();
    const run = await fleet.run("report-generator", { report_id: "R1" });
    expect(run).toMatchObject({ status: "failed", error: expect.stringMatching(/schema.*report_id/) });
  });
});

describe("parameter validation", () => {
  test("a dangerous input is blocked with the reason, and the agent never runs", async () => {
    const fleet = await LocalFleet.start();
    await fleet.program(
      { name: "security-validator" },
      "return input.parameters.path.includes('..') ? { action: 'block', block_reason: 'paths must not go up' } : { action: 'continue', parameters: input.parameters };",
    );
    const trace = join(fleet.folder, "ran");
    await fleet.program(
      {
        name: "reader",
        hooks: { on_run_start: { type: "agent", agent_name: "security-validator", on_error: "block" } },
      },
      `appendFileSync(${JSON.stringify(trace)}, "x"); return { ok: true };`,
    );
    await fleet.runner();
    const blocked = await fleet.run("reader", { path: "../etc/passwd" });
    expect(blocked).toMatchObject({ status: "failed", block_reason: "paths must not go up" });
    await expect(readFile(trace)).rejects.toThrow();
    expect(await fleet.run("reader", { path: "notes.txt" })).toMatchObject({ status: "completed" });
    const { runs } = await fleet.demand<Listed>("GET", "/runs?status=blocked");
    expect(runs.map(({ run_id }) => run_id)).toEqual([blocked.run_id]);
  });
});

describe("audit logging", () => {
  test("every run is logged, also those that fail, and a broken log stops no run", async () => {
    const fleet = await LocalFleet.start();
    const log = join(fleet.folder, "audit.log");
    await fleet.program(
      { name: "audit-logger" },
      `appendFileSync(${JSON.stringify(log)}, input.status + " " + JSON.stringify(input.error) + "\\n"); process.exit(input.status === "failed" ? 1 : 0);`,
    );
    await fleet.program(
      {
        name: "worker",
        hooks: {
          on_run_finish: { type: "agent", agent_name: "audit-logger", on_error: "continue", mode: "sync" },
        },
      },
      "if (input.fail) { console.error('out of paper'); process.exit(3); } return { ok: true };",
    );
    await fleet.runner();
    expect((await fleet.run("worker")).status).toBe("completed");
    expect((await fleet.run("worker", { fail: true })).status).toBe("failed");
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    expect(lines).toEqual(["completed null", expect.stringMatching(/^failed .*out of paper/)]);
  });
});

test("a single runner with one slot executes every type of hook of its own runs", async () => {
  const fleet = await LocalFleet.start();
  await fleet.program(
    { name: "gate" },
    "return 'result_data' in input && !('status' in input) ? { action: 'continue', result_data: { ...input.result_data, judged: true } } : { action: 'continue', parameters: input.parameters ?? {} };",
  );
  await fleet.program({ name: "watcher" }, "return {};");
  const gate = { type: "agent", agent_name: "gate", on_error: "block" } as const;
  const watch = { type: "agent", agent_name: "watcher", on_error: "continue", mode: "sync" } as const;
  await fleet.program(
    {
      name: "worker",
      hooks: {
        on_run_start: gate,
        on_result: gate,
        on_tool_call: gate,
        on_run_finish: watch,
        on_run_error: watch,
      },
    },
    "return { n: input.n };",
  );
  await fleet.runner(1);
  const runs = await Promise.all(Array.from({ length: 5 }, (_, n) => fleet.run("worker", { n })));
  expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "completed"));
  expect(runs.map(({ result_data }) => result_data)).toEqual(runs.map((_, n) => ({ n, judged: true })));
});
