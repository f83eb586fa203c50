import { LEASE_HEADER, type LoginLink, type NewToken, type RunnersPage } from "@tenterhook/protocol/runs";
import { type ApiClient, freshPostgres, TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

describe.each(["embedded", "server"] as const)("the token of a runner, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let mine: ApiClient;
  let other: ApiClient;
  let runner: TestRunner;
  const token = async (more: object = {}) =>
    (await coordinator.admin.post<NewToken>("/tokens", { name: "r", scope: "runner", ...more })).body;

  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
    mine = coordinator.admin.as((await token()).token);
    other = coordinator.admin.as((await token()).token);
    runner = await TestRunner.register(mine, { name: "mine" });
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  test("cannot act as a runner that another token registered", async () => {
    const { run_id } = await coordinator.start("echo");
    const run = await runner.claim();
    expect(run.run_id).toBe(run_id);
    const { lease_token } = run;
    const headers = { [LEASE_HEADER]: lease_token };
    const path = `/runner/runs/${run_id}`;
    const entries = [{ type: "messages", messages: [] }];
    const call = { tool_use_id: "c", tool_name: "t", tool_input: {} };
    const approval = { key: "k", hook: "h", reason: "r", subject: {} };
    const seen = async () => (await coordinator.admin.get<RunnersPage>("/runners")).body.runners[0]?.seen_at;
    const before = await seen();
    const refused = await Promise.all([
      other.post("/runner/register", { runner_id: runner.id, name: "mine" }),
      other.get(`/runner/runs?runner_id=${runner.id}`),
      other.get(`/runner/runs?runner_id=${runner.id}&unstarted=`),
      other.post("/runner/heartbeat", { runner_id: runner.id, runs: [{ run_id, lease_token }] }),
      other.post(`${path}/started`, { lease_token }),
      other.post(`${path}/events`, { lease_token, first: 1, events: [{ event_type: "note", data: {} }] }),
      other.post(`${path}/completed`, { lease_token }),
      other.post(`${path}/failed`, { lease_token, error: "no" }),
      other.post(`${path}/stopped`, { lease_token }),
      other.get(`${path}/conversation`, { headers }),
      other.post(`${path}/conversation`, { lease_token, first: 1, entries }),
      other.post(`${path}/tool-calls`, { lease_token, ...call }),
      other.post(`${path}/approvals`, { lease_token, ...approval }),
      other.get(`${path}/approvals/apr_none`, { headers }),
    ]);
    for (const { body } of refused) expect(body).toMatchObject({ status: 403, code: "forbidden" });
    expect(await seen()).toBe(before);
    expect((await coordinator.run(run_id)).status).toBe("claimed");
    expect((await runner.report(run, "started")).status).toBe(200);
    expect((await runner.complete(run)).status).toBe(200);
  });

  test("of an administrator may act as any runner, and takes none away from its token", async () => {
    const again = await coordinator.admin.post("/runner/register", { runner_id: runner.id, name: "mine" });
    expect(again.status).toBe(200);
    expect(await runner.next(0)).toBeUndefined();
    expect((await mine.post("/runner/register", { runner_id: runner.id, name: "mine" })).status).toBe(200);
  });

  test("may be bound to a name and to tags, and then registers nothing else", async () => {
    const bound = await token({ runner_name: "gpu-1", runner_tags: ["gpu", "eu"] });
    expect(bound).toMatchObject({ runner_name: "gpu-1", runner_tags: ["gpu", "eu"] });
    const client = coordinator.admin.as(bound.token);
    const register = (body: object) => client.post("/runner/register", body);
    expect((await register({ name: "gpu-2", tags: ["gpu"] })).body).toMatchObject({
      code: "forbidden",
      field: "name",
      detail: 'the token is for the runner "gpu-1", not for "gpu-2"',
    });
    expect((await register({ name: "gpu-1", tags: ["gpu", "secrets"] })).body).toMatchObject({
      code: "forbidden",
      field: "tags",
      detail: 'the token is for a runner with the tags gpu, eu, not with "secrets"',
    });
    for (const tags of [[], ["eu"], ["eu", "gpu"]]) {
      expect((await register({ name: "gpu-1", tags })).status).toBe(200);
    }
    expect((await register({ runner_id: runner.id, name: "gpu-1" })).status).toBe(403);
  });

  test("that is bound gives its binding to the sessions that it makes", async () => {
    const client = coordinator.admin.as((await token({ runner_name: "gpu-1" })).token);
    const { pathname, search } = new URL((await client.post<LoginLink>("/login-links")).body.url);
    const { headers } = await client.get(pathname + search, { token: null });
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const asPage = { token: null, headers: { cookie, origin: coordinator.served.url } };
    const register = (name: string) => client.post("/runner/register", { name }, asPage);
    expect([(await register("gpu-1")).status, (await register("gpu-2")).status]).toEqual([200, 403]);
  });

  test("is bound only when it has the scope of runners", async () => {
    const { body } = await coordinator.admin.post("/tokens", {
      name: "v",
      scope: "viewer",
      runner_name: "x",
    });
    expect(body).toMatchObject({ status: 400, field: "runner_name" });
  });

  test("reports what a runner sees, also what this version does not know, and no event of the coordinator", async () => {
    await coordinator.start("echo");
    const run = await runner.claim();
    await runner.report(run, "started");
    const report = (first: number, event_type: string, data: object = {}) =>
      runner.report(run, "events", { first, events: [{ event_type, data }] });
    const acted = { event: "before_tool", hook: "guard", action: "refuse" };
    const data: Readonly<Record<string, object>> = {
      hook_acted: acted,
      agent_usage: { steps: 1, duration_ms: 5 },
    };
    const taken = ["note", "hook_acted", "agent_usage", "dreamt_of_sheep", "runs", "hook"];
    for (const [index, type] of taken.entries())
      expect((await report(index + 1, type, data[type])).status).toBe(204);
    expect((await report(taken.length + 1, "hook_acted", { ...acted, action: 5 })).body).toMatchObject({
      status: 400,
      field: "events.0.data.action",
    });
    for (const type of [
      ...["hook_start", "hook_complete", "hook_blocked", "hook_failed", "hook_timeout", "hook_anything"],
      ...["run_completed", "run_anything", "approval_requested", "approval_decided", "session_x", "runner_x"],
    ]) {
      expect((await report(taken.length + 1, type)).body).toMatchObject({
        status: 400,
        field: "events.0.event_type",
        detail: expect.stringContaining(`"${type}" is an event of the coordinator`),
      });
    }
    const reported = (await coordinator.events(run.run_id)).slice(-taken.length);
    expect(reported.map(({ event_type }) => event_type)).toEqual(taken);
    await runner.complete(run);
  });

  test("must register a runner again that registered before tokens were stored", async () => {
    const { database } = coordinator.served.coordinator;
    await database.run({
      name: "",
      text: "INSERT INTO runners (id, name, concurrency) VALUES ('runner_old', 'old', 1)",
    });
    const poll = () => mine.get("/runner/runs?runner_id=runner_old");
    expect((await poll()).body).toMatchObject({ code: "unknown_runner" });
    expect((await mine.post("/runner/register", { runner_id: "runner_old", name: "old" })).status).toBe(200);
    expect((await poll()).status).toBe(204);
    expect((await other.post("/runner/register", { runner_id: "runner_old", name: "old" })).status).toBe(403);
  });

  test("sends the lease in a header and not in the address", async () => {
    await coordinator.start("echo");
    const run = await runner.claim();
    const path = `/runner/runs/${run.run_id}/conversation`;
    expect((await mine.get(path, { headers: { [LEASE_HEADER]: run.lease_token } })).status).toBe(200);
    const { body } = await mine.get(`${path}?lease_token=${run.lease_token}`);
    expect(body).toMatchObject({ status: 400, code: "bad_request" });
    expect((await mine.get(path)).body).toMatchObject({ status: 400, field: LEASE_HEADER });
    await runner.complete(run);
  });
});

test("a coordinator that did not give a run out looks up whose it is", async () => {
  const url = await freshPostgres();
  const [here, there] = [await TestCoordinator.open({ url }), await TestCoordinator.open({ url })];
  await here.save({ name: "echo", type: "procedural", command: ["cat"] });
  const [mine, other] = [await here.client("runner"), await here.client("runner")];
  const runner = await TestRunner.register(mine);
  await here.start("echo");
  const { run_id, lease_token } = await runner.claim();
  const complete = (token: string) =>
    there.admin.as(token).post(`/runner/runs/${run_id}/completed`, { lease_token });
  expect((await complete(other.token)).status).toBe(403);
  expect((await complete(mine.token)).status).toBe(200);
  await Promise.all([here.close(), there.close()]);
});
