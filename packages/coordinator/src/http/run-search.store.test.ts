import type { BlueprintInput, ProblemBody, RunCount, RunOutcomes, RunsPage } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const program: BlueprintInput = { name: "report", type: "procedural", command: ["cat"] };
const judge = { type: "agent", agent_name: "judge", on_error: "block" } as const;

describe.each(["embedded", "server"] as const)("runs in an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save(
      program,
      { ...program, name: "report-later", tags: ["absent"] },
      { ...program, name: "judge" },
      { ...program, name: "judged", hooks: { on_result: judge } },
    );
    runner = await coordinator.runner();
    const start = async (name: string, parameters: object) => {
      ids[name] = (await coordinator.start("report", parameters)).run_id;
    };
    await start("done", { path: "/srv/invoices/Müller-2026.csv", nested: [{ amount: 42.5 }] });
    await runner.complete(await runner.claim(), {
      result_text: "\n  Paid in full.\nThank you 🎉",
      result_data: null,
    });
    await start("failed", { topic: "invoices", "odd key": "it's 'quoted' \"twice\" \\ back" });
    const failing = await runner.claim();
    await runner.report(failing, "failed", { error: "ENOSPC: disk overflowing" });
    await start("long", {
      transcript: `${"filler ".repeat(5_000)} unreachable`,
      topic: "invoices 東京タワー",
    });
    await runner.complete(await runner.claim(), {
      result_text: null,
      result_data: { verdict: "acceptable", lines: 3 },
    });
    const later = await coordinator.start("report-later", { topic: "invoices of tomorrow" });
    ids.waiting = later.run_id;
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  const search = async (words: string, more = "") => {
    const { body } = await coordinator.admin.get<RunsPage>(
      `/runs?search=${encodeURIComponent(words)}${more}`,
    );
    return body.runs.map(({ run_id }) => Object.keys(ids).find((name) => ids[name] === run_id) ?? run_id);
  };
  const finds = (words: string, names: readonly string[], more = "") =>
    expect.poll(() => search(words, more)).toEqual(names);

  test.each([
    ["invoices", ["waiting", "long", "failed", "done"]],
    ["INVOI", ["waiting", "long", "failed", "done"]],
    ["invoices tom", ["waiting"]],
    ["müller", ["done"]],
    ["42.5", ["done"]],
    ["paid thank", ["done"]],
    ["🎉", ["done"]],
    ["京", ["long"]],
    ["東京", ["long"]],
    ["accept", ["long"]],
    ["overflow disk", ["failed"]],
    ["it's quoted", ["failed"]],
    ['"twice"', ["failed"]],
    ["report", ["waiting", "long", "failed", "done"]],
    ["nested", []],
    ["unreachable", []],
    ["invoices nothing", []],
    ["nvoices", []],
  ])("are found by %j: %j", async (words, names) => {
    await finds(words, names);
  });

  test("are found within filters, page by page, and counted", async () => {
    await finds("invoices", ["failed"], "&status=failed");
    await finds("invoices", ["waiting", "long"], "&limit=2");
    const pages: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body }: { body: RunsPage } = await coordinator.admin.get<RunsPage>(
        `/runs?search=invoices&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(...body.runs.map(({ run_id }) => run_id));
      cursor = body.next_cursor;
    }
    expect(pages).toEqual([ids.waiting, ids.long, ids.failed, ids.done]);
    const { body } = await coordinator.admin.get<RunCount>("/runs/count?search=invoices");
    expect(body).toEqual({ count: 4, more: false });
    expect(
      (await coordinator.admin.get<RunCount>("/runs/count?search=invoices&status=failed")).body.count,
    ).toBe(1);
  });

  test("show the first line of their result", async () => {
    const { body } = await coordinator.admin.get<RunsPage>("/runs?search=report");
    const lines = Object.fromEntries(body.runs.map(({ run_id, result_line }) => [run_id, result_line]));
    expect(lines[ids.done ?? ""]).toBe("Paid in full.");
    expect(lines[ids.failed ?? ""]).toBeNull();
    expect(lines[ids.waiting ?? ""]).toBeNull();
    expect(lines[ids.long ?? ""]).toBe('{"lines": 3, "verdict": "acceptable"}');
  });

  test("show the first line of what they were asked", async () => {
    const asked = [
      [{ message: "\n Pay it.\nSoon", prompt: "no" }, "Pay it."],
      [{ message: 5, prompt: '{"not": "json"' }, '{"not": "json"'],
      [{ task: "Sum up\nthe report" }, "Sum up"],
      [{ task: "Sum up", words: 20 }, '{"task": "Sum up", "words": 20}'],
      [{ message: "", words: 20, isShort: true }, '{"words": 20, "isShort": true, "message": ""}'],
      [{ prompt: `${"x".repeat(300)}` }, `${"x".repeat(199)}…`],
      [{ task: "y".repeat(5_000) }, `${"y".repeat(199)}…`],
      [{ isShort: true }, '{"isShort": true}'],
      [{}, null],
    ] as const;
    for (const [parameters, line] of asked) {
      const { run_id } = await coordinator.start("report-later", parameters);
      const { body } = await coordinator.admin.get<RunsPage>(`/runs?id=${run_id}`);
      expect(body.runs[0]?.input_line).toBe(line);
      const { body: stopped } = await coordinator.admin.post<RunOutcomes>("/runs/stop", { ids: [run_id] });
      expect(stopped.outcomes[0]?.run?.input_line?.replaceAll(" ", "")).toBe(line?.replaceAll(" ", ""));
    }
  });

  test("show the passage that a search found, and none when the agent's name was found", async () => {
    await finds("overflow disk", ["failed"]);
    const found = async (words: string) =>
      (await coordinator.admin.get<RunsPage>(`/runs?search=${encodeURIComponent(words)}`)).body.runs.map(
        (run) => run.found,
      );
    expect(await found("overflow disk")).toEqual([
      {
        field: "error",
        parts: [
          { text: "ENOSPC: ", is_match: false },
          { text: "disk", is_match: true },
          { text: " ", is_match: false },
          { text: "overflow", is_match: true },
          { text: "ing", is_match: false },
        ],
      },
    ]);
    expect(await found("report-later")).toContain(null);
    const { body } = await coordinator.admin.get<RunsPage>("/runs?agent=report");
    expect(body.runs.map((run) => "found" in run)).not.toContain(true);
  });

  test.each([
    "'",
    "''';--",
    "a:*",
    ":*",
    "!a & (b | c) <-> d",
    "\\",
    "%_",
    "-",
    "   ",
    "…!?",
    "\u202e\u200b\ufeff",
    "👩‍👩‍👧‍👦",
    "a".repeat(500),
    "ab ".repeat(166),
    "\ud800",
  ])("answer a search for %j", async (words) => {
    const { status } = await coordinator.admin.get(
      `/runs?search=${encodeURIComponent(words.replace("\ud800", "�"))}`,
    );
    expect(status).toBe(200);
    const counted = await coordinator.admin.get(
      `/runs/count?search=${encodeURIComponent(words.replace("\ud800", "�"))}`,
    );
    expect(counted.status).toBe(200);
  });

  test("refuse a search of ten thousand characters at the field, and one with a NUL", async () => {
    const { status, body } = await coordinator.admin.get<ProblemBody>(`/runs?search=${"x".repeat(10_000)}`);
    expect([status, body.field]).toEqual([400, "search"]);
    expect((await coordinator.admin.get("/runs?search=a%00b")).status).toBe(400);
  });

  test("are not found by a result that a hook has not let pass", async () => {
    const { run_id } = await coordinator.start("judged", { topic: "classified" });
    await runner.complete(await runner.claim(), { result_text: "launchcode 7731", result_data: null });
    const judging = await runner.claim();
    expect(judging).toMatchObject({ agent_name: "judge" });
    await expect.poll(() => search("classified")).toContain(run_id);
    expect(await search("launchcode")).toEqual([]);
    await runner.complete(judging, { result_data: { action: "block", block_reason: "contains secrets" } });
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "failed" });
    await expect.poll(() => search("secrets")).toContain(run_id);
    expect(await search("launchcode")).toEqual([]);
    const { body } = await coordinator.admin.get<RunsPage>(`/runs?id=${run_id}`);
    expect(body.runs[0]?.result_line).toBeNull();
    const { body: hooks } = await coordinator.admin.get<RunsPage>("/runs?kind=hook");
    expect(hooks.runs.length).toBeGreaterThan(0);
    expect(JSON.stringify(hooks)).not.toContain("launchcode");
    expect(hooks.runs[0]?.input_line).toContain(run_id);
  });

  test("that were stored before there was an index are found, too", async () => {
    const { database } = coordinator.served.coordinator;
    await database.run({ name: "", text: "DELETE FROM run_texts" });
    await database.run({ name: "", text: "DELETE FROM settings WHERE name = 'run_texts'" });
    await finds("invoices", ["waiting", "long", "failed", "done"]);
    await finds("overflow", ["failed"]);
  });

  test("are found on another server, too, whose transactions count from the beginning", async () => {
    const { database } = coordinator.served.coordinator;
    const text = `UPDATE settings SET value = jsonb_set(value, '{after,xid}', '"900000000000"') WHERE name = 'run_texts'`;
    await database.run({ name: "", text });
    const { run_id } = await coordinator.start("report-later", { topic: "restored" });
    await finds("restored", [run_id]);
  });

  test("leave no words behind when their session is deleted", async () => {
    const { run_id, session_id } = await coordinator.start("report", { topic: "ephemeral" });
    await coordinator.admin.post(`/runs/${run_id}/stop`, {});
    await finds("ephemeral", [run_id]);
    expect((await coordinator.admin.delete(`/sessions/${session_id}`)).status).toBe(204);
    const text = "SELECT count(*) AS count FROM run_texts WHERE run_id = $1";
    const { database } = coordinator.served.coordinator;
    await expect.poll(() => database.run({ name: "", text }, [run_id])).toEqual([{ count: 0 }]);
  });
});
