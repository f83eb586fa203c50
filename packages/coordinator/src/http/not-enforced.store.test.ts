import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Endpoint } from "../testing/endpoint.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const cat: Omit<BlueprintInput, "name"> = { type: "procedural", command: ["cat"] };

/** What the endpoint answers at a path. */
const REPLIES: Readonly<Record<string, unknown>> = {
  "/block": { action: "block", block_reason: "not today" },
  "/ask": { action: "ask", reason: "sure?" },
  "/change": {
    action: "continue",
    parameters: { changed: true },
    tool_input: { command: "ls" },
    result_text: "changed",
  },
  "/continue": { action: "continue" },
  "/nonsense": { action: "dance" },
};

describe.each(["embedded", "server"] as const)("hooks that are not enforced, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await Endpoint.open((response: ServerResponse, request: IncomingMessage) =>
      response.end(JSON.stringify(REPLIES[request.url ?? ""])),
    );
    coordinator = await TestCoordinator.open({
      ...(kind === "server" && { url: await freshPostgres() }),
      webhooks: { allowPrivate: ["127.0.0.1"] },
    });
  });
  afterAll(async () => {
    await coordinator.close();
    endpoint.close();
  });

  const hook = (path: string) =>
    ({ type: "http", url: `${endpoint.url}${path}`, on_error: "block", enforce: false }) as const;

  /** Runs an agent with a hook; what the hook's row and events say of it. */
  async function runWith(hooks: BlueprintInput["hooks"]) {
    await coordinator.save({ ...cat, name: "tried", hooks });
    const { run_id } = await coordinator.start("tried", { a: 1 });
    const runner = await coordinator.runner();
    const run = await runner.claim();
    await runner.report(run, "started");
    await runner.complete(run, { result_text: "fine" });
    const ended = await coordinator.ended(run_id);
    const events = await coordinator.events(run_id);
    return { run, ended, events: events.filter(({ event_type }) => event_type.startsWith("hook_")) };
  }

  test.each([
    ["/block", "would_block", "not today"],
    ["/ask", "would_ask", "sure?"],
    ["/change", "would_change", undefined],
    ["/continue", undefined, undefined],
  ])("a start hook that answers %s leaves the run as it is", async (path, verdict, reason) => {
    const { run, ended, events } = await runWith({ on_run_start: hook(path) });
    expect(run.parameters).toEqual({ a: 1 });
    expect(ended).toMatchObject({ status: "completed", result_text: "fine", approvals: [] });
    expect(ended.hooks).toMatchObject([{ state: "done", enforce: false }]);
    expect(events.map(({ event_type }) => event_type)).toEqual(["hook_start", "hook_complete"]);
    expect(events[1]).toMatchObject({ action: "continue" });
    expect(events[1]).toEqual(
      expect.objectContaining(verdict === undefined ? {} : { not_enforced: verdict }),
    );
    const { not_enforced: would, reason: why } = events[1] as { not_enforced?: string; reason?: string };
    expect([would, why]).toEqual([verdict, reason]);
  });

  test("a runner of an earlier version, which refuses settings of hooks that it does not know, is given none", async () => {
    const { run, ended } = await runWith({ on_run_start: hook("/block"), on_run_finish: hook("/continue") });
    expect(run.blueprint.hooks).toEqual({});
    expect(JSON.stringify(run)).not.toContain("enforce");
    expect(ended).toMatchObject({ has_hooks: true, status: "completed" });
  });

  test.each(["/block", "/change"])(
    "a result hook that answers %s leaves the result as it is",
    async (path) => {
      const { run, ended } = await runWith({ on_result: hook(path) });
      expect(run.withhold_text).toBe(false);
      expect(ended).toMatchObject({ status: "completed", result_text: "fine" });
    },
  );

  test("a hook that fails does not block, although its on_error is block", async () => {
    for (const type of ["on_run_start", "on_result"]) {
      const { ended, events } = await runWith({ [type]: hook("/nonsense") });
      expect(ended).toMatchObject({ status: "completed", hooks: [{ state: "failed", enforce: false }] });
      expect(events.at(-1)).toMatchObject({ event_type: "hook_failed", on_error_behavior: "continue" });
    }
  });

  test.each(["/block", "/ask", "/change", "/nonsense"])(
    "a tool call is made as it is when its hook answers %s",
    async (path) => {
      await coordinator.save({ ...cat, name: "tooled", hooks: { on_tool_call: hook(path) } });
      await coordinator.start("tooled");
      const runner = await coordinator.runner();
      const run = await runner.claim();
      await runner.report(run, "started");
      const asked = await coordinator.admin.post(`/runner/runs/${run.run_id}/tool-calls?wait=30`, {
        lease_token: run.lease_token,
        tool_use_id: "c1",
        tool_name: "Shell",
        tool_input: { command: "rm" },
      });
      expect(asked.body).toEqual({ action: "continue" });
      await runner.complete(run);
    },
  );

  test("a named hook is enforced by saving it, which is a right of administrators, for the runs that start then", async () => {
    const saved = await coordinator.admin.put("/hooks/judge", hook("/block"));
    expect(saved.body).toMatchObject({ definition: { enforce: false } });
    const client = await coordinator.client("client");
    expect((await client.put("/hooks/judge", { ...hook("/block"), enforce: true })).status).toBe(403);
    const { ended } = await runWith({ on_run_start: { $ref: "judge" } });
    expect(ended.status).toBe("completed");
    await coordinator.admin.put("/hooks/judge", { ...hook("/block"), enforce: true });
    await coordinator.save({ ...cat, name: "tried", hooks: { on_run_start: { $ref: "judge" } } });
    const { run_id } = await coordinator.start("tried");
    // A start hook is called when a runner asks for the run.
    await (await coordinator.runner()).next(0);
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "failed", error: "not today" });
  });

  test("a trial of it says that the decision would only be recorded", async () => {
    await coordinator.admin.put("/hooks/tried", hook("/block"));
    const { body } = await coordinator.admin.post("/hooks/tried/trial", {
      hook_type: "on_run_start",
      input: { parameters: {} },
    });
    expect(body).toMatchObject({
      outcome: "block",
      meaning:
        "It is not enforced, so this would only be recorded. The run would start with its parameters unchanged.",
    });
  });
});
