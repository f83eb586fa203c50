import {
  type Approval,
  type ApprovalsPage,
  type BlueprintInput,
  LEASE_HEADER,
} from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expireLeases } from "../testing/expire-leases.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const judged = { type: "agent", agent_name: "judge", on_error: "block" } as const;

describe.each(["embedded", "server"] as const)(
  "a run that is stopped while it waits, over an %s database",
  (kind) => {
    let coordinator: TestCoordinator;
    let runner: TestRunner;
    beforeAll(async () => {
      coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
      runner = await coordinator.runner();
      await coordinator.save(
        { ...echo, name: "judge" },
        { ...echo, name: "checked", hooks: { on_run_start: judged } },
        { ...echo, name: "reviewed", hooks: { on_result: judged } },
        { ...echo, name: "tooled", max_attempts: 2, hooks: { on_tool_call: judged } },
        { ...echo, name: "audited", hooks: { on_run_finish: { ...judged, mode: "sync" } } },
      );
    });
    afterAll(() => coordinator.close());
    afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

    const stop = (id: string) =>
      coordinator.admin.post(`/runs/${id}/stop`, { reason: "not wanted any more" });
    const types = async (id: string) => (await coordinator.events(id)).map(({ event_type }) => event_type);
    const pending = async () =>
      (await coordinator.admin.get<ApprovalsPage>("/approvals?state=pending")).body.approvals;

    /** The next that the runner is given must be the order to stop a run. */
    async function expectStopOf(id: string): Promise<void> {
      const order = await runner.next(30, 0);
      expect(order).toMatchObject({ type: "stop", run_id: id });
      if (order?.type === "stop") await runner.report(order, "stopped");
    }

    async function onlyPending(): Promise<Approval> {
      const [approval, ...more] = await pending();
      expect(more).toEqual([]);
      if (approval === undefined) throw new Error("no approval was requested");
      return approval;
    }

    async function expectCancelled({ approval_id, run_id }: Approval): Promise<void> {
      expect(await pending()).toEqual([]);
      const { body } = await coordinator.admin.get<Approval>(`/approvals/${approval_id}`);
      expect(body).toMatchObject({ state: "cancelled", decided_by: null, decided_at: expect.any(String) });
      const late = await coordinator.admin.post(`/approvals/${approval_id}`, { decision: "approve" });
      expect(late).toMatchObject({ status: 409, body: { detail: expect.stringContaining("cancelled") } });
      expect(await coordinator.events(run_id)).toContainEqual(
        expect.objectContaining({ event_type: "approval_decided", approval_id, decision: "cancel" }),
      );
    }

    test("for its finish hook keeps its result, and the name of who did not want to wait", async () => {
      const [ana, bo] = await Promise.all(
        ["ana", "bo"].map(async (name) => {
          const { body } = await coordinator.admin.post<{ token: string }>("/tokens", {
            name,
            scope: "client",
          });
          return coordinator.admin.as(body.token);
        }),
      );
      const { run_id } = await coordinator.start("audited");
      await runner.complete(await runner.claim(), { result_text: "done" });
      const audit = await runner.claim();
      await runner.report(audit, "started");
      expect(await coordinator.run(run_id)).toMatchObject({ status: "finishing", stopped_by: null });
      await ana?.post(`/runs/${run_id}/stop`);
      await bo?.post(`/runs/${run_id}/stop`);
      expect(await coordinator.run(run_id)).toMatchObject({
        status: "completed",
        result_text: "done",
        stop_reason: null,
        stopped_by: "ana",
        stop_requested_at: expect.any(String),
      });
      expect(await coordinator.events(run_id)).toContainEqual(
        expect.objectContaining({ event_type: "run_completed", by: "ana" }),
      );
      await runner.complete(audit, { result_data: {} });
    });

    test("for its result hook ends at once, shows no result, and its hook's run is stopped", async () => {
      const { run_id } = await coordinator.start("reviewed");
      await runner.complete(await runner.claim(), { result_text: "secret" });
      const judge = await runner.claim();
      await runner.report(judge, "started");
      expect(await stop(run_id)).toMatchObject({ status: 202 });
      expect(await coordinator.run(run_id)).toMatchObject({
        status: "stopped",
        result_text: null,
        hooks: [{ hook_type: "on_result", state: "cancelled" }],
      });
      await expectStopOf(judge.run_id);
    });

    test("for its result hook, which has not been begun, leaves nothing to do", async () => {
      const { run_id } = await coordinator.start("reviewed");
      await runner.complete(await runner.claim());
      await stop(run_id);
      expect(await coordinator.ended(run_id)).toMatchObject({ status: "stopped" });
      expect(await runner.next(0)).toBeUndefined();
    });

    test("for a finish hook ends as it was going to, and the hook is executed", async () => {
      const { run_id } = await coordinator.start("audited");
      await runner.complete(await runner.claim(), { result_text: "done" });
      const judge = await runner.claim();
      await stop(run_id);
      expect(await coordinator.run(run_id)).toMatchObject({ status: "completed", result_text: "done" });
      await runner.complete(judge);
      expect((await coordinator.run(run_id)).hooks).toMatchObject([
        { hook_type: "on_run_finish", state: "done" },
      ]);
    });

    test("for a person cancels the question", async () => {
      const { run_id } = await coordinator.start("checked");
      await runner.complete(await runner.claim(), {
        result_data: { action: "ask", reason: "is this wise?" },
      });
      const approval = await onlyPending();
      await stop(run_id);
      expect(await coordinator.ended(run_id)).toMatchObject({ status: "stopped" });
      await expectCancelled(approval);
    });

    test("for its start hook's run stops that run, too", async () => {
      const { run_id } = await coordinator.start("checked");
      const judge = await runner.claim();
      await runner.report(judge, "started");
      await stop(run_id);
      expect(await coordinator.ended(run_id)).toMatchObject({ status: "stopped" });
      await expectStopOf(judge.run_id);
    });

    test("for a person about a tool call cancels the question, however it ends", async () => {
      const { run_id } = await coordinator.start("tooled");
      const run = await runner.claim();
      await runner.report(run, "started");
      const { lease_token } = run;
      const question = { lease_token, key: "k", hook: "guard", reason: "really?", subject: {} };
      const asked = await coordinator.admin.post<{ approval_id: string }>(
        `/runner/runs/${run_id}/approvals`,
        question,
      );
      const approval = await onlyPending();
      await runner.report(run, "failed", { error: "boom" });
      expect(await coordinator.ended(run_id)).toMatchObject({ status: "failed" });
      await expectCancelled(approval);
      const path = `/runner/runs/${run_id}/approvals/${asked.body.approval_id}`;
      const { body } = await coordinator.admin.get(path, { headers: { [LEASE_HEADER]: lease_token } });
      expect(body).toEqual({ type: "reject", reason: "the run has ended" });
    });

    test("for a person in an attempt that was lost is asked anew in the next one", async () => {
      const { run_id } = await coordinator.start("tooled");
      const first = await runner.claim();
      await runner.report(first, "started");
      const { lease_token } = first;
      const question = { lease_token, key: "k", hook: "guard", reason: "really?", subject: {} };
      await coordinator.admin.post(`/runner/runs/${run_id}/approvals`, question);
      const approval = await onlyPending();
      await expireLeases(coordinator.served.coordinator.database);
      const second = await runner.claim();
      expect(second).toMatchObject({ run_id, attempt: 2 });
      await expectCancelled(approval);
      const again = { ...question, lease_token: second.lease_token };
      const { body } = await coordinator.admin.post(`/runner/runs/${run_id}/approvals`, again);
      expect(body).toMatchObject({ answer: { type: "wait" } });
      await runner.complete(second);
      expect(await pending()).toEqual([]);
      expect((await types(run_id)).filter((type) => type === "approval_requested")).toHaveLength(2);
    });
  },
);
