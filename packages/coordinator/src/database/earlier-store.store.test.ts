import type {
  AgentRecord,
  Approval,
  HookInUse,
  NamedHook,
  RevisionsPage,
  Run,
  RunnersPage,
  TokensPage,
} from "@tenterhook/protocol/runs";
import { freshPostgres, TestRunner } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EarlierResponse, readStoreOf0007, restoreOldStore } from "../testing/old-store.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { openEmbedded } from "./embedded/embedded-database.ts";
import { readMigrations } from "./migrations.ts";
import { openServer } from "./server/server-database.ts";

const store = readStoreOf0007();
const { tables, secrets, waiting, responses } = store;
/** As they were when the store was written: nothing in it expires while it is compared. */
const LIMITS = { leaseSeconds: 86_400, hookWaitSeconds: 86_400, approvalSeconds: 604_800 };

describe.each(["embedded", "server"] as const)("the %s database of version 0.1.0", (kind) => {
  let coordinator: TestCoordinator;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    const old = url === undefined ? await openEmbedded(folder) : await openServer(url, { connections: 1 });
    await restoreOldStore(old, store);
    await old.close();
    coordinator = await TestCoordinator.open({ folder, url, limits: LIMITS });
  });
  afterAll(() => coordinator.close());

  const rows = (table: string, column: string) => new Set((tables[table] ?? []).map((row) => row[column]));

  test("has rows in every table of its time, and runs, hooks and approvals in every state", () => {
    expect(Object.entries(tables).filter(([, found]) => found.length === 0)).toEqual([]);
    const made = readMigrations()
      .slice(0, store.migrations)
      .flatMap(({ statements }) => statements)
      .flatMap((text) => [...text.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, name]) => name));
    expect(Object.keys(tables).sort()).toEqual(made.sort());
    expect(rows("runs", "state")).toEqual(
      new Set(
        "pending preparing ready claimed running stopping finishing completed failed stopped".split(" "),
      ),
    );
    expect(rows("approvals", "state")).toEqual(
      new Set(["pending", "approved", "rejected", "cancelled", "expired"]),
    );
    expect(rows("run_hooks", "state")).toEqual(
      new Set(["running", "waiting", "asking", "done", "failed", "blocked", "cancelled"]),
    );
  });

  test("has the same response as then at every path", async () => {
    const found: Record<string, unknown> = {};
    for (const path of Object.keys(responses)) {
      const { status, body } = await coordinator.admin.get<unknown>(path, { token: secrets.admin });
      found[path] = withoutLaterFields(comparable({ status, body }));
    }
    const entries = Object.entries(responses).map(([path, response]) => [
      path,
      withoutLaterFields(comparable(response)),
    ]);
    expect(found).toEqual(Object.fromEntries(entries));
    expect(entries.length).toBeGreaterThan(150);
  });

  test("has a first revision of every named hook, and the results of every hook that ended", async () => {
    for (const { name, definition, updated_by } of tables.named_hooks ?? []) {
      const { body } = await coordinator.admin.get<RevisionsPage>(`/hooks/${name}/revisions`);
      expect(body.revisions).toEqual([{ revision: 1, saved_by: updated_by, saved_at: expect.any(String) }]);
      const path = `/hooks/${name}/revisions/1`;
      expect((await coordinator.admin.get(path)).body).toMatchObject({ definition });
      const { body: hook } = await coordinator.admin.get<NamedHook>(`/hooks/${name}`);
      expect(hook.counts.p50_ms ?? 0).toBeCloseTo(medianDuration(String(name)), 3);
    }
    const { body } = await coordinator.admin.get<{ hooks: HookInUse[] }>("/hooks-in-use?limit=200");
    const counted = body.hooks
      .filter(({ source }) => source !== "runner")
      .flatMap(({ results }) => results)
      // A call that asked is also counted by what the person decided.
      .filter(({ outcome }) => outcome !== "asked")
      .reduce((sum, { calls }) => sum + calls, 0);
    const ended = (tables.run_hooks ?? []).filter(({ finished_at }) => finished_at !== null);
    expect(ended.length).toBeGreaterThan(0);
    expect(counted).toBe(ended.length);
  });

  test("continues its work: runs that waited are executed, and an approval is decided", async () => {
    const cookie = `tenterhook_${new URL(coordinator.served.url).port}=${secrets.session}`;
    const person = { token: null, headers: { cookie, origin: coordinator.served.url } };
    const runner = await TestRunner.register(coordinator.admin.as(secrets.runner), { name: "later" });
    // Its own runner reports with the lease that it got from the earlier version.
    expect(await runner.report(waiting.running, "completed", { result_text: "done" })).toMatchObject({
      status: 200,
    });
    expect(await coordinator.run(waiting.running.run_id)).toMatchObject({
      status: "completed",
      result_text: "done",
    });
    const { body: decided } = await coordinator.admin.post<Approval>(
      `/approvals/${waiting.asking.approval_id}`,
      { decision: "approve" },
      person,
    );
    expect(decided).toMatchObject({ state: "approved", decided_by: expect.any(String) });
    const left = new Set([waiting.queued, waiting.ready, waiting.asking.run_id]);
    while (left.size > 0) {
      const run = await runner.claim();
      await runner.report(run, "started");
      await runner.complete(run, { result_text: "done" });
      if (left.delete(run.run_id))
        expect(await coordinator.ended(run.run_id)).toMatchObject({ status: "completed" });
    }
    // The request is recognised by a digest that the earlier version stored.
    const repeated = { token: secrets.admin, headers: { "idempotency-key": "once" } };
    expect((await coordinator.admin.post("/runs", { agent_name: "echo" }, repeated)).status).toBe(200);
    const { body: again } = await coordinator.admin.post<Run>(`/runs/${waiting.queued}/retry`, {}, person);
    expect(again).toMatchObject({ status: "pending", retry_of: waiting.queued });
    expect(coordinator.errors).toEqual([]);
  });
});

/**
 * A response without what depends on this test: when tokens and runners were seen last, and the token of its own data folder. What uses
 * an agent was one list then, with `hook audit` for a named hook.
 */
function comparable({ status, body }: EarlierResponse): EarlierResponse {
  const { tokens, runners, blueprint, used_by } = body as Partial<TokensPage & RunnersPage & AgentRecord>;
  const known = tokens?.filter(({ token_id }) => tables.tokens?.some(({ id }) => id === token_id));
  return {
    status,
    body: {
      ...(body as object),
      ...(known !== undefined && { tokens: known.map((token) => ({ ...token, used_at: null })) }),
      ...(runners !== undefined && { runners: runners.map((runner) => ({ ...runner, seen_at: null })) }),
      ...(blueprint !== undefined && Array.isArray(used_by) && { used_by: separateUsers(used_by) }),
    },
  };
}

/**
 * Fields of runs, sessions, runners and hooks that there were not then. A named hook had no revision, and its times were also those of
 * calls that were cancelled.
 */
const LATER_FIELDS: ReadonlySet<string> = new Set([
  "enforce",
  "left_at",
  "last_waiting_for",
  "input_line",
  "usage",
  "found",
]);
const TIMES: ReadonlySet<string> = new Set(["p50_ms", "p95_ms"]);

function withoutLaterFields(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutLaterFields);
  if (typeof part !== "object" || part === null) return part;
  const isHook = "definition" in part && "counts" in part;
  const fields = Object.entries(part).filter(
    ([key]) => !LATER_FIELDS.has(key) && !TIMES.has(key) && !(isHook && key === "revision"),
  );
  return Object.fromEntries(fields.map(([key, each]) => [key, withoutLaterFields(each)]));
}

/** Of the calls of a named hook that answered or failed. */
function medianDuration(name: string): number {
  const durations = (tables.run_hooks ?? [])
    .filter((hook) => hook.name === name && /^(?:done|blocked|failed)$/.test(String(hook.state)))
    .map(
      ({ started_at, created_at, finished_at }) =>
        Date.parse(String(finished_at)) - Date.parse(String(started_at ?? created_at)),
    )
    .sort((one, other) => one - other);
  const middle = (durations.length - 1) / 2;
  return ((durations[Math.floor(middle)] ?? 0) + (durations[Math.ceil(middle)] ?? 0)) / 2;
}

function separateUsers(users: readonly string[]): AgentRecord["used_by"] {
  const isHook = (user: string) => user.startsWith("hook ");
  return {
    agents: users.filter((user) => !isHook(user)),
    hooks: users.filter(isHook).map((user) => user.slice("hook ".length)),
  };
}
