import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Queries } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { APPROVAL_STATES, type ApprovalState } from "../domain/approval-state.ts";
import { HOOK_STATES, type HookState } from "../domain/hook-state.ts";
import { DEFAULT_LIMITS } from "../domain/limits.ts";
import { readApproval } from "../store/approval-rows.ts";
import { readHook } from "../store/hook-rows.ts";
import type { ApprovalRow, HookRow, PinnedHook } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { statementsWritingState, undone } from "../testing/state-statements.ts";
import { cancelApprovals } from "./cancel-waits.ts";
import { claimHooks } from "./claim-hooks.ts";
import { claimRuns } from "./claim-run.ts";
import { closeHook } from "./close-hook.ts";
import { type ApprovalDecision, decideApproval } from "./decide-approval.ts";
import { requeueLostHooks, scheduleHook, setHook } from "./hook-rows.ts";
import { postponeHook } from "./postpone-hook.ts";
import { insertApproval } from "./request-approval.ts";
import { Transition } from "./transition.ts";

const LIMITS = DEFAULT_LIMITS;
const ROOM = { syncBeyondFirst: 1, firstCalls: 2, sync: 10, async: 10, perTarget: 10, active: [] };
const DEFINITION: PinnedHook = {
  type: "http",
  url: "https://example.com",
  method: "POST",
  headers: {},
  on_error: "block",
  timeout_seconds: 30,
  mode: "sync",
};

let database: Database;
const folder = temporaryFolder();
beforeAll(async () => {
  database = await openDatabase({ folder });
  for (const text of [
    `INSERT INTO agents (name, revision, blueprint, etag)
      VALUES ('echo', 1, '{"name": "echo", "hooks": {}, "tags": [], "max_attempts": 1}', 'x')`,
    "INSERT INTO sessions (id, agent_name, kind) VALUES ('ses', 'echo', 'client')",
    `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks, attempt)
      VALUES ('run', 'ses', 'echo', 1, 'client', 'running', 'async_poll', '{}', '{}', 1)`,
  ])
    await database.run({ name: "", text });
});
afterAll(() => database.close());

/** A hook of a tool call in any state, whose lease has expired. */
async function storeHook(queries: Queries, state: HookState): Promise<HookRow> {
  await queries.run(
    {
      name: "",
      text: `INSERT INTO run_hooks (id, run_id, agent_name, run_created_at, hook_type, subject, definition, mode, state, input,
          lease_until, finished_at)
        VALUES ('hook', 'run', 'echo', now(), 'on_tool_call', 'call', $2::jsonb, 'sync', $1, '{}', now() - interval '1 minute',
          CASE WHEN $1 ${HOOK_STATES.where((each) => HOOK_STATES.isFinal(each))} THEN now() END)`,
    },
    [state, JSON.stringify(DEFINITION)],
  );
  return existing(await readHook(queries, "hook"));
}

async function storeApproval(queries: Queries, state: ApprovalState): Promise<ApprovalRow> {
  await queries.run(
    {
      name: "",
      text: `INSERT INTO approvals (id, run_id, hook_type, asked_by, reason, subject, state, expires_at)
        VALUES ('apr', 'run', 'on_tool_call', 'guard', 'sure?', '{}', $1, now())`,
    },
    [state],
  );
  return existing(await readApproval(queries, "apr"));
}

function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the row is gone");
  return row;
}

describe("the state of a hook", () => {
  test.each([
    ["claim-hooks", (queries: Queries) => claimHooks(queries, ROOM, 30)],
    [
      "postpone-hook",
      async (queries: Queries) =>
        postponeHook(queries, existing(await readHook(queries, "hook")), { afterMs: 1_000, failure: "503" }),
    ],
    ["lost-hooks", (queries: Queries) => requeueLostHooks(queries)],
  ])("is changed by %s only as the table allows", async (_name, change) => {
    let changed = 0;
    for (const from of HOOK_STATES.states) {
      const to = await undone(database, async (queries) => {
        await storeHook(queries, from);
        await change(queries);
        return existing(await readHook(queries, "hook")).state;
      });
      if (to === from) continue;
      expect(HOOK_STATES.mayFollow(from, to), `${from} to ${to}`).toBe(true);
      changed++;
    }
    expect(changed).toBeGreaterThan(0);
  });

  test("is changed by set-hook to the states of the table and to no other", async () => {
    for (const from of HOOK_STATES.states) {
      for (const to of HOOK_STATES.states) {
        await undone(database, async (queries) => {
          await storeHook(queries, from);
          const changing = setHook(queries, "hook", to);
          if (!HOOK_STATES.mayFollow(from, to)) {
            await expect(changing).rejects.toThrow(`cannot become ${to}`);
            return;
          }
          const { state, finished_at } = await changing;
          expect({ state, hasEnded: finished_at !== null }).toEqual({
            state: to,
            hasEnded: HOOK_STATES.isFinal(to),
          });
        });
      }
    }
  });

  test("begins as the table says, by itself or with the claim of its run", async () => {
    const states = await undone(database, async (queries) => {
      const run = existing(await readRun(queries, "run"));
      const options = { subject: "new", waitSeconds: 30 };
      await scheduleHook(queries, run, "on_tool_call", DEFINITION, {}, options);
      await queries.run(
        {
          name: "",
          text: "UPDATE runs SET state = 'pending', needs_preparation = true, hooks = $1::jsonb, is_plain = false",
        },
        [JSON.stringify({ on_run_start: DEFINITION })],
      );
      await claimRuns(queries, [
        { runnerId: "runner", tags: [], hasSlot: true, leaseSeconds: 30, hookWaitSeconds: 30 },
      ]);
      return queries.run<HookRow>({ name: "", text: "SELECT * FROM run_hooks" });
    });
    expect(states.map(({ hook_type }) => hook_type).sort()).toEqual(["on_run_start", "on_tool_call"]);
    expect(states.every(({ state }) => HOOK_STATES.isInitial(state))).toBe(true);
  });

  test("is written by no other statement", async () => {
    expect(await statementsWritingState("run_hooks")).toEqual([
      "claim-hooks",
      "claim-runs-",
      "insert-hook",
      "lost-hooks",
      "postpone-hook",
      "set-hook",
    ]);
  });

  test("stays asking when a second reply comes: only the decision ends the wait", async () => {
    const [state, approvals] = await undone(database, async (queries) => {
      const hook = await storeHook(queries, "running");
      const transition = new Transition(queries, LIMITS);
      await closeHook(transition, hook, { type: "answered", value: { action: "ask", reason: "sure?" } });
      await closeHook(transition, hook, { type: "answered", value: { action: "continue" } });
      const rows = await queries.run<ApprovalRow>({ name: "", text: "SELECT * FROM approvals" });
      return [existing(await readHook(queries, "hook")).state, rows.map((row) => row.state)];
    });
    expect({ state, approvals }).toEqual({ state: "asking", approvals: ["pending"] });
  });
});

describe("the state of an approval", () => {
  const DECISIONS: readonly ApprovalDecision[] = [
    { type: "approve" },
    { type: "edit", value: {} },
    { type: "reject" },
    { type: "expire" },
  ];
  const changes: readonly [string, (queries: Queries) => Promise<unknown>][] = [
    ["cancel-approvals", (queries) => cancelApprovals(queries, "run", "the run has ended")],
    ...DECISIONS.map((decision): [string, (queries: Queries) => Promise<unknown>] => [
      `settle-approval (${decision.type})`,
      (queries) => decideApproval(new Transition(queries, LIMITS), "apr", decision, null),
    ]),
  ];

  test.each(changes)("is changed by %s only as the table allows", async (_name, change) => {
    const changed: string[] = [];
    for (const from of APPROVAL_STATES.states) {
      const to = await undone(database, async (queries) => {
        await storeApproval(queries, from);
        await change(queries);
        return existing(await readApproval(queries, "apr")).state;
      });
      if (to === from) continue;
      expect(APPROVAL_STATES.mayFollow(from, to), `${from} to ${to}`).toBe(true);
      changed.push(from);
    }
    expect(changed).toEqual(["pending"]);
  });

  test("begins as the table says", async () => {
    const { state } = await undone(database, (queries) =>
      insertApproval(queries, {
        runId: "run",
        hookId: null,
        hookType: "on_tool_call",
        askedBy: "guard",
        reason: "sure?",
        subject: {},
        seconds: 30,
      }),
    );
    expect(APPROVAL_STATES.isInitial(state)).toBe(true);
  });

  test("is written by no other statement", async () => {
    expect(await statementsWritingState("approvals")).toEqual([
      "cancel-approvals",
      "insert-approval",
      "settle-approval",
    ]);
  });
});
