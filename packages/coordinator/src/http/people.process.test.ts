import type {
  AgentRecord,
  AgentsPage,
  Approval,
  ApprovalsPage,
  BlueprintInput,
  LatestEvents,
  NamedHook,
  NewToken,
  ProblemBody,
  Run,
} from "@tenterhook/protocol/runs";
import { type ApiClient, freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

let coordinator: TestCoordinator;
let runner: TestRunner;
let ana: ApiClient;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres(), user: "olga" });
  runner = await coordinator.runner();
  ana = coordinator.admin.as(await tokenOf("ana"));
  await coordinator.save(
    echo,
    { ...echo, name: "judge" },
    {
      ...echo,
      name: "judged",
      hooks: { on_run_start: { type: "agent", agent_name: "judge", on_error: "block" } },
    },
  );
});
afterAll(() => coordinator.close());

const tokenOf = async (name: string, scope = "admin") =>
  (await coordinator.admin.post<NewToken>("/tokens", { name, scope })).body.token;

/** The cookie that a link gives. */
async function openLink(url: string): Promise<{ readonly cookie: string; readonly origin: string }> {
  const { headers } = await fetch(url, { redirect: "manual" });
  return { cookie: headers.get("set-cookie")?.split(";")[0] ?? "", origin: coordinator.served.url };
}

const nameOf = async (headers: Readonly<Record<string, string>>) =>
  (await coordinator.admin.get<{ name: string }>("/whoami", { token: null, headers })).body.name;

const latest = async (type: string) =>
  (await coordinator.admin.get<LatestEvents>("/events/latest?limit=200")).body.events.filter(
    ({ event_type }) => event_type === type,
  );

describe("a person", () => {
  test("who signs in by a link has the name of the link", async () => {
    const { body } = await ana.post<{ url: string }>("/login-links", { name: "  bruno " });
    expect(await nameOf(await openLink(body.url))).toBe("bruno");
  });

  test("who signs in by a link without a name has the name of the token that made it", async () => {
    const { body } = await ana.post<{ url: string }>("/login-links");
    const session = await openLink(body.url);
    expect(await nameOf(session)).toBe("ana");
    // And so has the link that such a session makes.
    const { body: next } = await coordinator.admin.post<{ url: string }>(
      "/login-links",
      {},
      { token: null, headers: session },
    );
    expect(await nameOf(await openLink(next.url))).toBe("ana");
  });

  test("who signs in with a token has its name", async () => {
    const { headers } = await coordinator.admin.post("/login", { token: ana.token }, { token: null });
    expect(await nameOf({ cookie: headers.get("set-cookie")?.split(";")[0] ?? "" })).toBe("ana");
  });

  test("who starts the coordinator is the name of its own token and links", async () => {
    expect((await coordinator.admin.get("/whoami")).body).toMatchObject({ name: "olga", scope: "admin" });
    expect(await nameOf(await openLink(await coordinator.served.loginUrl()))).toBe("olga");
  });

  test.each([
    ["a\nb", "U+000A, a control character"],
    ["ana\u202e", "U+202E, a mark that changes the direction of text"],
    ["\u200fana", "U+200F, a mark that changes the direction of text"],
    ["a\u200bna", "U+200B, a character that is not shown"],
    ["a\u0085b", "U+0085, a control character"],
    ["", "must not be empty"],
    ["   ", "must not be empty"],
    ["x".repeat(65), "at most 64 characters"],
  ])("cannot be called %j", async (name, why) => {
    for (const refused of [
      await ana.post<ProblemBody>("/login-links", { name }),
      await ana.post<ProblemBody>("/tokens", { name, scope: "viewer" }),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { code: "bad_request", field: "name" } });
      expect(refused.body.detail).toContain(why);
    }
  });

  test("may have a name of any script", async () => {
    for (const name of ["Ана", "安娜", "עינת", "José", "O'Neil <b>"]) {
      const client = coordinator.admin.as(await tokenOf(name));
      expect((await client.get<{ name: string }>("/whoami")).body.name).toBe(name);
    }
  });
});

describe("who did it", () => {
  test("an approval says who decided it and when, and so does its event", async () => {
    const { run_id } = await coordinator.start("judged");
    await runner.complete(await runner.claim(), { result_data: { action: "ask", reason: "is this wise?" } });
    const { approvals } = (await coordinator.admin.get<ApprovalsPage>(`/approvals?run=${run_id}`)).body;
    const { approval_id } = approvals[0] as Approval;
    const edit = { decision: "edit", value: { a: 1 } };
    expect((await ana.post(`/approvals/${approval_id}`, edit)).body).toMatchObject({
      state: "approved",
      decided_by: "ana",
      decided_at: expect.stringMatching(/Z$/),
    });
    const decided = (await coordinator.events(run_id)).find(
      ({ event_type }) => event_type === "approval_decided",
    );
    expect(decided).toMatchObject({ decision: "edit", by: "ana" });
    await ana.post(`/runs/${run_id}/stop`);
  });

  test("a run that waits says who stopped it and when", async () => {
    const { run_id } = await coordinator.start("echo");
    await ana.post(`/runs/${run_id}/stop`, { reason: "not today" });
    const run = await coordinator.run(run_id);
    expect(run).toMatchObject({ status: "stopped", stopped_by: "ana", stop_reason: "not today" });
    expect(run.stop_requested_at).toBe(run.finished_at);
    expect((await coordinator.events(run_id)).at(-1)).toMatchObject({ event_type: "run_stopped", by: "ana" });
  });

  test("a run that a runner has says who stopped it first", async () => {
    const { run_id } = await coordinator.start("echo");
    const claim = await runner.claim();
    await runner.report(claim, "started");
    await ana.post(`/runs/${run_id}/stop`);
    await coordinator.admin.post(`/runs/${run_id}/stop`);
    expect(await coordinator.run(run_id)).toMatchObject({ status: "stopping", stopped_by: "ana" });
    await runner.report(claim, "stopped");
    expect(await coordinator.run(run_id)).toMatchObject({ status: "stopped", stopped_by: "ana" });
    const stops = (await coordinator.events(run_id)).filter(({ event_type }) =>
      event_type.startsWith("run_stopp"),
    );
    expect(stops).toMatchObject([
      { event_type: "run_stopping", by: "ana" },
      { event_type: "run_stopped", by: "ana" },
    ]);
  });

  test("a run says who started it, and a retry which run it repeats", async () => {
    const first = await coordinator.start("echo");
    expect(first).toMatchObject({ created_by: "olga", retry_of: null });
    await coordinator.admin.post(`/runs/${first.run_id}/stop`);
    const { body: again } = await ana.post<Run>(`/runs/${first.run_id}/retry`);
    expect(again).toMatchObject({ created_by: "ana", retry_of: first.run_id });
    expect(await coordinator.run(again.run_id)).toMatchObject({ created_by: "ana", retry_of: first.run_id });
    expect((await coordinator.events(again.run_id))[0]).toMatchObject({
      event_type: "run_created",
      by: "ana",
      retry_of: first.run_id,
    });
    expect((await coordinator.events(first.run_id))[0]).not.toHaveProperty("retry_of");
    await ana.post(`/runs/${again.run_id}/stop`);
  });

  test("a run that a hook started was started by no person", async () => {
    const { run_id } = await coordinator.start("judged");
    const claim = await runner.claim();
    expect(await coordinator.run(claim.run_id)).toMatchObject({ kind: "hook", created_by: null });
    await runner.complete(claim, { result_data: { action: "block", block_reason: "no" } });
    expect(await coordinator.run(run_id)).toMatchObject({ status: "failed", stopped_by: null });
  });

  test("an agent says who saved it, and saving and deleting are in the stream", async () => {
    await ana.put("/agents/edited", { ...echo, name: "edited" });
    const { body } = await coordinator.admin.get<AgentRecord>("/agents/edited");
    expect(body).toMatchObject({ revision: 1, updated_by: "ana" });
    const { agents } = (await coordinator.admin.get<AgentsPage>("/agents")).body;
    expect(agents.find(({ name }) => name === "edited")).toMatchObject({ updated_by: "ana" });
    // The same again is no edit.
    await coordinator.admin.put("/agents/edited", { ...echo, name: "edited" });
    await coordinator.admin.delete("/agents/edited");
    await expect.poll(() => latest("agent_deleted")).toHaveLength(1);
    const about = { agent_name: "edited", run_id: null, session_id: null };
    const saved = (await latest("agent_saved")).filter(({ agent_name }) => agent_name === "edited");
    expect(saved).toMatchObject([{ ...about, revision: 1, by: "ana" }]);
    expect(await latest("agent_deleted")).toMatchObject([{ ...about, by: "olga" }]);
  });

  test("a named hook says who saved it, and saving and deleting are in the stream", async () => {
    await ana.put("/hooks/guard", { type: "agent", agent_name: "judge", on_error: "block" });
    expect((await coordinator.admin.get<NamedHook>("/hooks/guard")).body.updated_by).toBe("ana");
    await coordinator.admin.delete("/hooks/guard");
    await expect.poll(() => latest("named_hook_deleted")).toHaveLength(1);
    expect(await latest("named_hook_saved")).toMatchObject([{ hook_name: "guard", by: "ana" }]);
    expect(await latest("named_hook_deleted")).toMatchObject([{ hook_name: "guard", by: "olga" }]);
  });

  test("draining and undraining a runner are in the stream, once for each change", async () => {
    const drain = (api: ApiClient, draining: boolean) =>
      api.post(`/runners/${runner.id}/drain`, { draining });
    await drain(ana, true);
    await drain(coordinator.admin, true);
    await drain(coordinator.admin, false);
    const about = { runner_id: runner.id, runner_name: expect.any(String), run_id: null, session_id: null };
    await expect.poll(() => latest("runner_undrained")).toMatchObject([{ ...about, by: "olga" }]);
    expect(await latest("runner_drained")).toMatchObject([{ ...about, by: "ana" }]);
  });

  test("a session that was deleted says who deleted it", async () => {
    const { run_id, session_id } = await coordinator.start("echo");
    await coordinator.admin.post(`/runs/${run_id}/stop`);
    expect((await ana.delete(`/sessions/${session_id}`)).status).toBe(204);
    await expect.poll(() => latest("session_deleted")).toMatchObject([{ session_id, by: "ana" }]);
  });
});
