import type {
  Approval,
  ApprovalsPage,
  BlueprintInput,
  LoginLink,
  NewToken,
  Run,
  Scope,
} from "@tenterhook/protocol/runs";
import { type ApiClient, EventReader, freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PageSession } from "../testing/page-session.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const judged = { on_run_start: { type: "agent", agent_name: "judge", on_error: "continue" } } as const;
const QUESTION = { action: "ask", reason: "is this wise?", not_by: "requester" };

describe.each(["embedded", "server"] as const)("over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let runner: TestRunner;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open({ url: kind === "server" ? await freshPostgres() : undefined });
    runner = await coordinator.runner();
    await coordinator.save(
      { ...echo, name: "judge" },
      { ...echo, name: "guarded", hooks: judged },
      {
        ...echo,
        name: "first",
        hooks: { on_run_finish: { type: "agent", agent_name: "guarded", on_error: "continue" } },
      },
      echo,
    );
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  type Starter = Pick<ApiClient, "post">;
  const tokenFor = async (scope: Scope, maker: Starter = coordinator.admin, name = `the ${scope}`) =>
    coordinator.admin.as((await maker.post<NewToken>("/tokens", { name, scope })).body.token);

  /** Answers the start hook of the next run. */
  const answerHook = async (answer: object = QUESTION) =>
    runner.complete(await runner.claim(), { result_data: { ...answer } });

  /** The approval of a run that waits for one. */
  async function approvalOf(runId: string): Promise<Approval> {
    const { body } = await coordinator.admin.get<ApprovalsPage>(`/approvals?state=pending&run=${runId}`);
    const [approval] = body.approvals;
    if (approval === undefined) throw new Error("no approval was requested");
    return approval;
  }

  async function askedBy(starter: Starter, path = "/runs", body: object = { agent_name: "guarded" }) {
    const { body: run, status } = await starter.post<Run>(path, body);
    expect(status).toBe(201);
    await answerHook();
    return approvalOf(run.run_id);
  }

  const approve = (client: Starter, { approval_id }: Approval) =>
    client.post<Approval & { detail?: string; hint?: string }>(`/approvals/${approval_id}`, {
      decision: "approve",
    });

  /** Ends a run that waits, so that the next test's runner finds none of it. */
  async function finish(approval: Approval): Promise<void> {
    const reviewer = await tokenFor("reviewer");
    expect(await approve(reviewer, approval)).toMatchObject({ status: 200, body: { state: "approved" } });
    await runner.complete(await runner.claim());
  }

  const barOf = async (client: Pick<ApiClient, "get">, { approval_id }: Approval) =>
    (await client.get<Approval>(`/approvals/${approval_id}`)).body.barred;

  test("a reviewer decides, and the event names it", async () => {
    const reviewer = await tokenFor("reviewer", coordinator.admin, "rita");
    const client = await tokenFor("client", coordinator.admin, "carl");
    const { body: run } = await client.post<Run>("/runs", { agent_name: "guarded" });
    await answerHook({ action: "ask", reason: "is this wise?" });
    const approval = await approvalOf(run.run_id);
    expect(approval).toMatchObject({ not_by: null, barred: null, requested_by: ["carl"] });
    expect(await approve(reviewer, approval)).toMatchObject({ status: 200, body: { decided_by: "rita" } });
    const decided = (await coordinator.events(run.run_id)).find(
      ({ event_type }) => event_type === "approval_decided",
    );
    expect(decided).toMatchObject({ decision: "approve", by: "rita" });
    await runner.complete(await runner.claim());
  });

  test("a reviewer signs in to the page, and reads approvals, the runs that have one, and nothing else", async () => {
    const reviewer = await PageSession.byToken(await tokenFor("reviewer"));
    const approval = await askedBy(await tokenFor("client"));
    const unasked = await coordinator.start("echo");
    await runner.complete(await runner.claim());
    const { body } = await reviewer.get<ApprovalsPage>("/approvals?state=pending");
    expect(body.approvals.map(({ approval_id }) => approval_id)).toContain(approval.approval_id);
    for (const path of [
      `/approvals/${approval.approval_id}`,
      `/runs/${approval.run_id}`,
      `/runs/${approval.run_id}/events`,
    ]) {
      expect((await reviewer.get(path)).status).toBe(200);
    }
    const refused = [
      ...[
        `/runs/${unasked.run_id}`,
        `/runs/${unasked.run_id}/events`,
        "/runs/run_none",
        "/runs",
        "/runs/count",
      ],
      ...["/sessions", `/sessions/${unasked.session_id}`, "/agents", "/agents/echo", "/hooks", "/runners"],
      ...["/events/latest", "/events?types=run_created", "/metrics", "/tokens"],
    ];
    for (const path of refused) expect([path, (await reviewer.get(path)).status]).toEqual([path, 403]);
    expect((await reviewer.post("/runs", { agent_name: "echo" })).status).toBe(403);
    expect((await reviewer.post(`/runs/${approval.run_id}/stop`)).status).toBe(403);
    expect((await reviewer.post("/tokens", { name: "x", scope: "reviewer" })).status).toBe(403);
    await finish(approval);
  });

  test("a reviewer follows events about approvals only", async () => {
    const { token } = await tokenFor("reviewer");
    const stream = await EventReader.open(`${coordinator.served.url}/events`, {
      authorization: `Bearer ${token}`,
    });
    const approval = await askedBy(await tokenFor("client"));
    await finish(approval);
    const types = (await stream.take(2)).map(({ event_type }) => event_type);
    expect(types).toEqual(["approval_requested", "approval_decided"]);
    stream.close();
  });

  test("without not_by the requester may decide", async () => {
    const run = await coordinator.start("guarded");
    await answerHook({ action: "ask", reason: "is this wise?" });
    expect((await approve(coordinator.admin, await approvalOf(run.run_id))).status).toBe(200);
    await runner.complete(await runner.claim());
  });

  test("the requester, its makers and what was made with it cannot decide; another token of the same maker can", async () => {
    const maker = await tokenFor("admin");
    const requester = await tokenFor("admin", maker, "ana");
    const made = await tokenFor("reviewer", requester);
    const sibling = await tokenFor("reviewer", maker);
    const approval = await askedBy(requester);
    expect(approval).toMatchObject({ not_by: "requester", requested_by: ["ana"], barred: "maker" });
    const cases = [
      [requester, "requester", "you started this run"],
      [maker, "maker", "your token made the token that started this run"],
      [coordinator.admin, "maker", "your token made"],
      [made, "made", "your token was made with the token that started this run"],
    ] as const;
    for (const [client, bar, text] of cases) {
      expect(await barOf(client, approval)).toBe(bar);
      for (const decision of [
        { decision: "approve" },
        { decision: "reject" },
        { decision: "edit", value: {} },
      ]) {
        const refused = await client.post(`/approvals/${approval.approval_id}`, decision);
        expect(refused).toMatchObject({
          status: 403,
          body: {
            code: "forbidden",
            detail: expect.stringContaining(text),
            hint: expect.stringContaining("reviewer or admin"),
          },
        });
      }
    }
    expect(await approvalOf(approval.run_id)).toMatchObject({ state: "pending" });
    expect(await barOf(sibling, approval)).toBe(null);
    expect(await approve(sibling, approval)).toMatchObject({ status: 200 });
    await runner.complete(await runner.claim());
  });

  test("a person is the same in every session: signing in again does not permit a decision", async () => {
    const person = await tokenFor("admin");
    const first = await PageSession.byToken(person);
    const approval = await askedBy(first);
    await first.post("/logout");
    const again = await PageSession.byToken(person);
    const link = (await again.post<LoginLink>("/login-links", { name: "somebody else" })).body.url;
    const byLink = await PageSession.byLink(coordinator.admin, link);
    const made = coordinator.admin.as(
      (await again.post<NewToken>("/tokens", { name: "m", scope: "admin" })).body.token,
    );
    for (const client of [again, byLink, person, made]) {
      expect((await approve(client, approval)).status).toBe(403);
    }
    expect(await barOf(again, approval)).toBe("requester");
    expect(await barOf(byLink, approval)).toBe("session");
    await finish(approval);
  });

  test("a session of a maker cannot decide, though it has made nothing itself", async () => {
    const maker = await tokenFor("admin");
    const made = (
      await (await PageSession.byToken(maker)).post<NewToken>("/tokens", { name: "m", scope: "client" })
    ).body;
    const approval = await askedBy(coordinator.admin.as(made.token));
    expect((await approve(await PageSession.byToken(maker), approval)).status).toBe(403);
    await finish(approval);
  });

  test("the rule outlives the requester's token, also when its row is removed", async () => {
    const maker = await tokenFor("admin");
    const { body } = await maker.post<NewToken>("/tokens", { name: "r", scope: "client" });
    const approval = await askedBy(coordinator.admin.as(body.token));
    expect((await maker.delete(`/tokens/${body.token_id}`)).status).toBe(200);
    const remove = { name: "", text: "DELETE FROM tokens WHERE id = $1" };
    await coordinator.served.coordinator.database.run(remove, [body.token_id]);
    expect((await approve(maker, approval)).status).toBe(403);
    await finish(approval);
  });

  test("who retries a run, who started it and who wrote in its session before are all barred", async () => {
    const [one, two, three] = [
      await tokenFor("admin", coordinator.admin, "one"),
      await tokenFor("admin", coordinator.admin, "two"),
      await tokenFor("admin", coordinator.admin, "three"),
    ];
    const { body: original } = await one.post<Run>("/runs", { agent_name: "guarded" });
    await answerHook({ action: "block", block_reason: "not now" });
    const retried = await askedBy(two, `/runs/${original.run_id}/retry`, {});
    expect(retried.requested_by).toEqual(["two", "one"]);
    for (const client of [one, two]) expect((await approve(client, retried)).status).toBe(403);
    await finish(retried);
    const resumed = await askedBy(three, `/sessions/${original.session_id}/resume`, {});
    for (const client of [one, two, three]) expect((await approve(client, resumed)).status).toBe(403);
    await finish(resumed);
    const { body: bulk } = await two.post<{ outcomes: readonly { run: Run }[] }>("/runs/retry", {
      ids: [original.run_id],
    });
    await answerHook();
    const bulked = await approvalOf(bulk.outcomes[0]?.run.run_id ?? "");
    for (const client of [one, two]) expect((await approve(client, bulked)).status).toBe(403);
    await finish(bulked);
  });

  test("a chained run, a child of a session and a callback inherit the requester of their root", async () => {
    const requester = await tokenFor("admin", coordinator.admin, "root");
    const { body: root } = await requester.post<Run>("/runs", { agent_name: "first" });
    await runner.complete(await runner.claim());
    await answerHook();
    const { child_runs } = await coordinator.run(root.run_id);
    const chained = await approvalOf(child_runs[0]?.run_id ?? "");
    expect(chained.requested_by).toEqual(["root"]);
    expect((await approve(requester, chained)).status).toBe(403);
    await finish(chained);

    const program = await tokenFor("client", coordinator.admin, "program");
    const { body: parent } = await requester.post<Run>("/runs", { agent_name: "guarded" });
    await answerHook({ action: "continue", parameters: {} });
    await runner.complete(await runner.claim());
    const child = await askedBy(program, "/runs", {
      agent_name: "guarded",
      parent_session_id: parent.session_id,
      execution_mode: "async_callback",
    });
    expect(child.requested_by).toEqual(["program", "root"]);
    expect((await approve(requester, child)).status).toBe(403);
    await finish(child);
    await answerHook();
    const { body } = await coordinator.admin.get<ApprovalsPage>("/approvals?state=pending");
    const [callback] = body.approvals;
    expect(callback?.requested_by).toEqual(["program", "root"]);
    if (callback !== undefined) await finish(callback);
  });

  test("a question of a hook on the runner may exclude the requester, too", async () => {
    const requester = await tokenFor("admin");
    await requester.post("/runs", { agent_name: "echo" });
    const claimed = await runner.claim();
    const { run_id, lease_token } = claimed;
    const question = { lease_token, key: "k", hook: "guard", reason: "?", subject: {}, not_by: "requester" };
    await coordinator.admin.post(`/runner/runs/${run_id}/approvals`, question);
    const approval = await approvalOf(run_id);
    expect(approval).toMatchObject({ not_by: "requester" });
    expect((await approve(requester, approval)).status).toBe(403);
    expect((await approve(await tokenFor("reviewer"), approval)).status).toBe(200);
    const asked = (await coordinator.events(run_id)).find(
      ({ event_type }) => event_type === "approval_requested",
    );
    expect(asked).toMatchObject({ not_by: "requester" });
    await runner.complete(claimed);
  });

  test("of two that decide at once one wins, and the requester never does", async () => {
    const requester = await tokenFor("admin");
    const [one, two] = [await tokenFor("reviewer"), await tokenFor("reviewer")];
    const approval = await askedBy(requester);
    const decisions = await Promise.all([one, requester, two].map((client) => approve(client, approval)));
    const statuses = decisions.map(({ status }) => status);
    expect([statuses[0], statuses[2]].toSorted()).toEqual([200, 409]);
    expect([403, 409]).toContain(statuses[1]);
    await runner.complete(await runner.claim());
  });

  test("nobody decides about a run whose requester is not known", async () => {
    const approval = await askedBy(await tokenFor("client"));
    const forget = { name: "", text: "UPDATE runs SET requesters = '[]' WHERE id = $1" };
    await coordinator.served.coordinator.database.run(forget, [approval.run_id]);
    const reviewer = await tokenFor("reviewer");
    expect(await barOf(reviewer, approval)).toBe("unknown");
    expect(await approve(reviewer, approval)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("not known who started") },
    });
    await coordinator.admin.post(`/runs/${approval.run_id}/stop`);
  });

  test("a not_by that is not known blocks the run, although on_error is continue", async () => {
    const { run_id } = await coordinator.start("guarded");
    await answerHook({ action: "ask", reason: "is this wise?", not_by: "requestor" });
    expect(await coordinator.run(run_id)).toMatchObject({
      status: "failed",
      block_reason: `is this wise? (it asked with "not_by": "requestor"; only "requester" is known)`,
    });
  });
});
