import type { BlueprintInput, HookAgents } from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const next = { type: "agent", agent_name: "next", on_error: "block" } as const;
const http = { type: "http", url: "https://example.com/", on_error: "block" } as const;

describe.each(["embedded", "server"] as const)(
  "an agent that a finish hook starts, over an %s database",
  (kind) => {
    let coordinator: TestCoordinator;
    let runner: TestRunner;
    beforeAll(async () => {
      coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
      runner = await coordinator.runner();
      const seed = ["parameters", "result_text", "result_data", "status", "error"];
      const properties = Object.fromEntries(
        [...seed, "session_id", "run_id", "agent_name"].map((name) => [name, {}]),
      );
      await coordinator.save(
        { ...echo, name: "next" },
        {
          ...echo,
          name: "strict",
          parameters_schema: { type: "object", properties, additionalProperties: false },
        },
        { ...echo, name: "first", hooks: { on_run_finish: next } },
        { ...echo, name: "limited", hooks: { on_run_finish: { ...next, timeout_seconds: 1 } } },
        { ...echo, name: "narrow", hooks: { on_run_finish: { ...next, agent_name: "strict" } } },
      );
    });
    afterAll(() => coordinator.close());
    afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

    const types = async (id: string) => (await coordinator.events(id)).map(({ event_type }) => event_type);

    /** Completes a run of an agent, and claims the one that its finish hook starts. */
    async function chain(agent: string) {
      const { run_id } = await coordinator.start(agent);
      await runner.complete(await runner.claim(), { result_text: "done" });
      const chained = await runner.claim();
      await runner.report(chained, "started");
      expect(chained).toMatchObject({ kind: "chained" });
      return { run_id, chained };
    }

    test("ends the hook when it has ended itself", async () => {
      const { run_id, chained } = await chain("first");
      expect(await coordinator.run(run_id)).toMatchObject({
        status: "completed",
        hooks: [{ state: "waiting", child_run_id: chained.run_id, timeout_seconds: null, finished_at: null }],
      });
      expect(await types(run_id)).not.toContain("hook_complete");
      await runner.complete(chained);
      expect((await coordinator.run(run_id)).hooks).toMatchObject([{ state: "done" }]);
      expect((await types(run_id)).slice(-2)).toEqual(["hook_start", "hook_complete"]);
    });

    test("fails the hook when it fails, with its on_error in the event; the first run stays as it is", async () => {
      const { run_id, chained } = await chain("first");
      await runner.report(chained, "failed", { error: "no disk" });
      expect(await coordinator.run(run_id)).toMatchObject({
        status: "completed",
        result_text: "done",
        hooks: [{ state: "failed", error: "no disk" }],
      });
      const [failed] = (await coordinator.events(run_id)).filter(
        ({ event_type }) => event_type === "hook_failed",
      );
      expect(failed).toMatchObject({
        hook_type: "on_run_finish",
        error: "no disk",
        on_error_behavior: "block",
      });
    });

    test("that takes longer than the hook's timeout marks the hook, and continues", async () => {
      const { run_id, chained } = await chain("limited");
      await expect.poll(() => types(run_id)).toContain("hook_timeout");
      expect((await coordinator.run(run_id)).hooks).toMatchObject([{ state: "failed", timeout_seconds: 1 }]);
      expect(await coordinator.run(chained.run_id)).toMatchObject({ status: "running" });
      expect((await runner.complete(chained)).status).toBe(200);
      expect(await coordinator.run(chained.run_id)).toMatchObject({ status: "completed" });
    });

    test.each([
      ["first", "not wanted"],
      ["narrow", undefined],
    ])(
      "gets the reason why the run of %s was stopped, if its schema allows that",
      async (agent, stop_reason) => {
        const { run_id } = await coordinator.start(agent);
        await coordinator.admin.post(`/runs/${run_id}/stop`, { reason: "not wanted" });
        expect(await coordinator.run(run_id)).toMatchObject({
          status: "stopped",
          error: null,
          stop_reason: "not wanted",
        });
        const chained = await runner.claim();
        expect(chained.parameters).toMatchObject({ status: "stopped", error: null });
        expect(chained.parameters.stop_reason).toBe(stop_reason);
        await runner.complete(chained);
      },
    );

    test("the reason of a stop is kept when the runner executes the stop", async () => {
      const { run_id } = await coordinator.start("next");
      const run = await runner.claim();
      await runner.report(run, "started");
      await coordinator.admin.post(`/runs/${run_id}/stop`, { reason: "too dear" });
      await runner.report(run, "stopped", { reason: "aborted" });
      expect(await coordinator.ended(run_id)).toMatchObject({ error: null, stop_reason: "too dear" });
      expect((await coordinator.events(run_id)).at(-1)).toMatchObject({ stop_reason: "too dear" });
    });

    test.each(["on_run_start", "on_result"])(
      "%s is refused as async, because the run waits for it",
      async (type) => {
        const wrong = { ...echo, name: "wrong", hooks: { [type]: { ...http, mode: "async" } } };
        const { body } = await coordinator.admin.put("/agents/wrong", wrong);
        expect(body).toMatchObject({ code: "bad_blueprint", field: `hooks.${type}.mode` });
        await coordinator.admin.put("/hooks/loose", { ...http, mode: "async" });
        const named = { ...echo, name: "wrong", hooks: { [type]: { $ref: "loose" } } };
        expect((await coordinator.admin.put("/agents/wrong", named)).body).toMatchObject({
          field: `hooks.${type}.$ref`,
        });
      },
    );

    const takes = (parameters_schema: Record<string, unknown>) => ({
      ...echo,
      name: "taker",
      parameters_schema,
    });
    const pipeline = (agent_name: string, mode = "async") =>
      coordinator.admin.put("/agents/pipeline", {
        ...echo,
        name: "pipeline",
        hooks: { on_run_finish: { ...next, agent_name, mode } },
      });

    test.each<[Record<string, unknown>, string]>([
      [{ required: ["data_source"] }, "data_source"],
      [{ additionalProperties: false, properties: { result_data: {} } }, "additional"],
      [{ properties: { result_data: { type: "string" } }, required: ["result_data"] }, "result_data"],
      [{ properties: { status: { enum: ["queued"] } } }, "status"],
      [{ properties: { result_data: { required: ["records"] } }, required: ["data_source"] }, "data_source"],
    ])("is shown as unfit with the schema %j, which takes no end of a run: %s", async (schema, problem) => {
      await coordinator.save(takes(schema));
      const { agents } = (await coordinator.admin.get<HookAgents>("/hook-agents?type=on_run_finish")).body;
      expect(agents.find(({ name }) => name === "taker")).toMatchObject({
        fits: false,
        problem: expect.stringContaining(problem),
      });
      const waiting = { on_run_finish: { ...next, agent_name: "taker", mode: "sync" } };
      expect(
        (await coordinator.admin.put("/agents/pipeline", { ...echo, name: "pipeline", hooks: waiting })).body,
      ).toMatchObject({ code: "bad_blueprint", field: "hooks.on_run_finish.agent_name" });
    });

    test.each([
      { required: ["result_data"], properties: { result_data: { type: "object", required: ["records"] } } },
      { properties: { status: { const: "failed" }, error: { type: "string" } } },
      { properties: { result_text: { type: "string", minLength: 1 }, agent_name: { const: "pipeline" } } },
      { allOf: [{ properties: { result_data: { required: ["records"] } } }] },
    ])("may take some ends only, with the schema %j", async (schema) => {
      await coordinator.save(takes(schema));
      expect((await pipeline("taker")).status).toBeLessThan(300);
      expect((await coordinator.admin.delete("/agents/pipeline")).status).toBe(204);
    });

    test("keeps a schema that takes the input, as long as a hook waits for it", async () => {
      await coordinator.save(takes({}));
      expect((await pipeline("taker", "sync")).status).toBe(201);
      const put = (schema: Record<string, unknown>) => coordinator.admin.put("/agents/taker", takes(schema));
      expect((await put({ required: ["data_source"] })).body).toMatchObject({
        code: "bad_blueprint",
        field: "parameters_schema",
        detail: expect.stringContaining("pipeline"),
      });
      expect((await put({ required: ["result_data"] })).status).toBe(200);
      expect((await coordinator.admin.delete("/agents/pipeline")).status).toBe(204);
      expect((await put({ required: ["data_source"] })).status).toBe(200);
    });

    test("may have hooks of its own, unless another hook waits for it", async () => {
      const hooks = { on_run_finish: { ...http, on_error: "continue" } };
      await coordinator.save(
        { ...echo, name: "gate" },
        { ...echo, name: "gated", hooks: { on_run_start: { ...next, agent_name: "gate" } } },
      );
      const { body } = await coordinator.admin.put("/agents/gate", { ...echo, name: "gate", hooks });
      expect(body).toMatchObject({
        code: "bad_blueprint",
        field: "hooks",
        detail: expect.stringContaining("gated"),
      });
      await coordinator.admin.put("/hooks/by-name", { ...next, agent_name: "gate" });
      await coordinator.save({ ...echo, name: "gated", hooks: { on_tool_call: { $ref: "by-name" } } });
      const named = await coordinator.admin.put("/agents/gate", { ...echo, name: "gate", hooks });
      expect(named.body).toMatchObject({ field: "hooks", detail: expect.stringContaining("on_tool_call") });
      expect((await coordinator.admin.put("/agents/strict", { ...echo, name: "strict", hooks })).status).toBe(
        200,
      );
    });
  },
);
