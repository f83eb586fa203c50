import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BlueprintInput, HookTrial, RunEvent, RunsPage, TrialSummary } from "@tenterhook/protocol/runs";
import { type ApiClient, freshPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { MAX_TRIALS } from "../trials/hook-trials.ts";
import { verifyWebhook } from "../webhook/index.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly response: ServerResponse;
}

/** Answers with what the parameters say; holds what is to be held. */
class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    this.received.push({ headers: request.headers, body, response });
    const { parameters = {} } = JSON.parse(body);
    if (parameters.hold === true) return;
    response.writeHead(parameters.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(parameters.answer ?? { action: "continue", parameters }));
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("a trial of a hook, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let client: ApiClient;
  const receiver = new Receiver();
  beforeAll(async () => {
    const url = await receiver.listen();
    coordinator = await TestCoordinator.open({
      ...(kind === "server" && { url: await freshPostgres() }),
      webhooks: { allowPrivate: ["127.0.0.1"], signingKey: "sign" },
    });
    client = await coordinator.client("client");
    const named = { type: "http", url, on_error: "continue" } as const;
    await coordinator.admin.put("/hooks/remote", named);
    await coordinator.admin.put("/hooks/strict", { ...named, on_error: "block" });
    await coordinator.admin.put("/hooks/elsewhere", { ...named, url: "http://127.0.0.2/latest" });
    const strict = { type: "object", additionalProperties: false, properties: {} as object };
    for (const field of ["parameters", "agent_name", "session_id", "run_id"]) {
      strict.properties = { ...strict.properties, [field]: {} };
    }
    await coordinator.save(
      echo,
      { ...echo, name: "judge" },
      { ...echo, name: "picky-judge", parameters_schema: strict },
      {
        ...echo,
        name: "guarded",
        parameters_schema: { type: "object", properties: { a: { type: "integer" } } },
        hooks: {
          on_run_start: { type: "agent", agent_name: "judge", on_error: "block" },
          on_run_finish: { $ref: "remote" },
        },
      },
      {
        ...echo,
        name: "watched",
        hooks: { on_run_start: { type: "agent", agent_name: "picky-judge", on_error: "continue" } },
      },
    );
  });
  afterAll(async () => {
    receiver.close();
    await coordinator.close();
  });
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  const tryHook = async (path: string, body: object, by = client) =>
    (await by.post<HookTrial & { status?: number; code?: string }>(`${path}/trial`, body)).body;
  const onStart = (parameters: object) => ({ hook_type: "on_run_start", input: { parameters } });
  const latest = async () =>
    (await coordinator.admin.get<{ events: RunEvent[] }>("/events/latest?limit=5")).body.events.at(-1);

  test("calls the address, signed and marked as a trial, and says what the answer would mean", async () => {
    receiver.received.length = 0;
    const answer = { action: "continue", parameters: { a: 2 } };
    const trial = await tryHook("/hooks/remote", onStart({ a: 1, answer }));
    expect(trial).toMatchObject({
      hook_type: "on_run_start",
      hook_name: "remote",
      target_type: "http",
      outcome: "proceed",
      reply: answer,
      changes: { before: { parameters: { a: 1, answer } }, after: { parameters: { a: 2 } } },
      meaning: "The run would start with the changed parameters.",
      http_status: 200,
      attempts: 1,
      run_id: null,
      error: null,
    });
    const [call] = receiver.received;
    expect(JSON.parse(call?.body ?? "")).toEqual(trial.input);
    expect(trial.input).toMatchObject({ trial: true, parameters: { a: 1 } });
    expect(call?.headers).toMatchObject({
      "tenterhook-trial": "true",
      "tenterhook-hook": "on_run_start",
      "idempotency-key": trial.trial_id,
    });
    expect(verifyWebhook(call?.headers ?? {}, call?.body ?? "", "sign")).toBe(true);
    expect(await latest()).toMatchObject({
      event_type: "hook_trial",
      run_id: null,
      trial_id: trial.trial_id,
      outcome: "proceed",
      by: "a client",
    });
  });

  test("lists the last trials of a named hook: by whom, when, and what it answered", async () => {
    await coordinator.admin.put(
      "/hooks/listed",
      (await coordinator.admin.get<{ definition: object }>("/hooks/remote")).body.definition,
    );
    const trials = async (path = "/hooks/listed/trials") =>
      (await (await coordinator.client("viewer")).get<{ trials: TrialSummary[] }>(path)).body.trials;
    expect(await trials()).toEqual([]);
    const first = await tryHook("/hooks/listed", onStart({ a: 1 }));
    const blocks = { answer: { action: "block", block_reason: "no" } };
    const second = await tryHook("/hooks/listed", onStart(blocks), coordinator.admin);
    await tryHook("/hooks/remote", onStart({ a: 1 }));
    const listed = await trials();
    expect(listed).toMatchObject([
      { trial_id: second.trial_id, outcome: "block", reason: "no", run_id: null },
      {
        trial_id: first.trial_id,
        outcome: "proceed",
        reason: null,
        by: "a client",
        hook_type: "on_run_start",
      },
    ]);
    expect(listed.flatMap((trial) => Object.keys(trial))).not.toContain("input");
    expect(await trials("/hooks/listed/trials?limit=1")).toHaveLength(1);
    expect((await client.get("/hooks/nowhere/trials")).status).toBe(404);
  });

  test.each([
    [
      "strict",
      { answer: { action: "block", block_reason: "no" } },
      { outcome: "block", reason: "no", meaning: expect.stringContaining("would not start") },
    ],
    [
      "strict",
      { answer: { action: "ask", reason: "sure?" } },
      { outcome: "ask", reason: "sure?", meaning: expect.stringContaining("A person would be asked") },
    ],
    ["strict", {}, { outcome: "proceed", changes: null, meaning: expect.stringContaining("unchanged") }],
    [
      "remote",
      { answer: { action: "shrug" } },
      {
        outcome: "failed",
        meaning: expect.stringMatching(/^Its on_error is continue\. The run would start/),
      },
    ],
    [
      "strict",
      { status: 404 },
      {
        outcome: "failed",
        http_status: 404,
        error: expect.stringContaining("404"),
        meaning: expect.stringMatching(/^Its on_error is block: the run would not start/),
      },
    ],
    [
      "elsewhere",
      {},
      { outcome: "failed", http_status: null, error: expect.stringMatching(/may not be called/i) },
    ],
  ])("of %s with %j answers %j", async (name, parameters, expected) => {
    expect(await tryHook(`/hooks/${name}`, onStart(parameters))).toMatchObject(expected);
  });

  test("of an agent's hook starts a marked run of that agent, and none of the agent under guard", async () => {
    const before = (await coordinator.admin.get<RunsPage>("/runs?agent=guarded")).body.runs.length;
    const runner = await coordinator.runner();
    const trying = tryHook("/agents/guarded/hooks/on_run_start", { input: { parameters: { a: 1 } } });
    const run = await runner.claim(30, 0);
    expect(run).toMatchObject({ kind: "hook", agent_name: "judge" });
    expect(run.parameters).toMatchObject({ trial: true, agent_name: "guarded", parameters: { a: 1 } });
    await runner.complete(run, { result_data: { action: "continue", parameters: { a: 5 } } });
    expect(await trying).toMatchObject({
      outcome: "proceed",
      agent_name: "guarded",
      run_id: run.run_id,
      changes: { after: { parameters: { a: 5 } } },
    });
    expect(await coordinator.run(run.run_id)).toMatchObject({
      trial: true,
      created_by: "a client",
      parent_run_id: null,
      status: "completed",
      hooks: [],
    });
    expect((await coordinator.admin.get<RunsPage>("/runs?agent=guarded")).body.runs).toHaveLength(before);
    expect((await coordinator.events(run.run_id))[0]).toMatchObject({
      event_type: "run_created",
      trial: true,
    });
  });

  test("checks the answer by the agent's schema, and leaves the mark out for an agent that refuses it", async () => {
    const runner = await coordinator.runner();
    const wrong = tryHook("/agents/guarded/hooks/on_run_start", { input: { parameters: {} } });
    await runner.complete(await runner.claim(30, 0), {
      result_data: { action: "continue", parameters: { a: "text" } },
    });
    expect(await wrong).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("does not fit the agent's schema"),
    });
    const picky = tryHook("/agents/watched/hooks/on_run_start", { input: {} });
    const run = await runner.claim(30, 0);
    expect(run.parameters).not.toHaveProperty("trial");
    await runner.report(run, "failed", { error: "broken" });
    expect(await picky).toMatchObject({
      outcome: "failed",
      error: "broken",
      on_error: "continue",
      meaning: "Its on_error is continue. The run would start with its parameters unchanged.",
    });
  });

  test("takes the input of a past run as clients see it", async () => {
    const runner = await coordinator.runner();
    const { run_id } = await coordinator.start("echo", { a: 3 });
    const unfinished = await tryHook("/hooks/remote", { hook_type: "on_run_finish", run_id });
    expect(unfinished).toMatchObject({ status: 409, code: "conflict" });
    await runner.complete(await runner.claim(), { result_text: "done" });
    const ended = await tryHook("/hooks/remote", { hook_type: "on_run_finish", run_id });
    expect(ended).toMatchObject({
      outcome: "proceed",
      agent_name: "echo",
      input: { run_id, parameters: { a: 3 }, result_text: "done", status: "completed", trial: true },
      meaning: "No run waits for it.",
    });
    expect(await tryHook("/hooks/remote", { hook_type: "on_tool_call", run_id })).toMatchObject({
      code: "conflict",
    });
  });

  test("is counted neither for the named hook nor in the metrics of hooks", async () => {
    const counts = async () => ({
      hook: (await coordinator.admin.get<{ counts: { ran: number } }>("/hooks/remote")).body.counts.ran,
      metrics: (await coordinator.admin.get<string>("/metrics")).body.match(/^tenterhook_hooks_total.*$/gm),
    });
    const before = await counts();
    await tryHook("/hooks/remote", onStart({}));
    expect(await counts()).toEqual(before);
  });

  test.each([
    ["/hooks/none", onStart({}), { status: 404 }],
    ["/agents/guarded/hooks/on_result", { input: {} }, { status: 404 }],
    ["/agents/guarded/hooks/on_fire", { input: {} }, { status: 400 }],
    ["/hooks/remote", { hook_type: "on_run_start" }, { status: 400, field: "input" }],
    ["/hooks/remote", { ...onStart({}), run_id: "run_1" }, { status: 400, field: "input" }],
    ["/hooks/remote", { hook_type: "on_run_start", run_id: "run_1" }, { status: 404, field: "run_id" }],
    [
      "/hooks/remote",
      { hook_type: "on_tool_call", input: { tool_name: 7 } },
      { status: 422, field: "input.tool_name" },
    ],
  ])("of %s with %j is refused: %j", async (path, body, problem) => {
    expect(await tryHook(path, body)).toMatchObject(problem);
  });

  test("needs the scope client", async () => {
    const viewer = await coordinator.client("viewer");
    expect(await tryHook("/hooks/remote", onStart({}), viewer)).toMatchObject({ code: "forbidden" });
  });

  test("ends when its client goes away: the call is cut off, and the run is stopped", async () => {
    receiver.received.length = 0;
    const going = new AbortController();
    const post = (path: string, body: object) =>
      fetch(`${coordinator.served.url}${path}/trial`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: going.signal,
      }).catch(() => undefined);
    const calls = [
      post("/hooks/remote", onStart({ hold: true })),
      post("/agents/guarded/hooks/on_run_start", { input: {} }),
    ];
    await expect.poll(() => receiver.received.length).toBe(1);
    const held = receiver.received[0]?.response;
    const cut = new Promise((resolve) => held?.once("close", resolve));
    const trialRuns = async () =>
      (await coordinator.admin.get<RunsPage>("/runs?kind=hook&agent=judge&limit=1")).body.runs[0];
    await expect.poll(async () => (await trialRuns())?.status).toBe("pending");
    going.abort();
    await Promise.all([cut, ...calls]);
    await expect.poll(async () => (await trialRuns())?.status).toBe("stopped");
    await expect.poll(async () => (await latest())?.outcome).toBe("abandoned");
  });

  test("is one of a few at once", async () => {
    receiver.received.length = 0;
    const many = Array.from({ length: MAX_TRIALS }, () => tryHook("/hooks/remote", onStart({ hold: true })));
    await expect.poll(() => receiver.received.length).toBe(MAX_TRIALS);
    expect(await tryHook("/hooks/remote", onStart({}))).toMatchObject({ status: 503, code: "unavailable" });
    for (const { response } of receiver.received) response.end('{"action":"continue","parameters":{}}');
    await Promise.all(many);
    expect(await tryHook("/hooks/remote", onStart({}))).toMatchObject({ outcome: "proceed" });
  });

  test("whose coordinator died leaves no run behind", async () => {
    const { lifecycle, database } = coordinator.served.coordinator;
    const trial = await lifecycle.startTrial("judge", { trial: true }, 50, "ana");
    if (!("run" in trial)) throw new Error("no run was started");
    const aged = "UPDATE runs SET created_at = now() - interval '2 minutes' WHERE id = $1";
    await database.run({ name: "", text: aged }, [trial.run.id]);
    await expect.poll(async () => (await coordinator.run(trial.run.id)).status).toBe("stopped");
  });
});
