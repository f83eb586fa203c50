import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, Queries } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { isInitial, mayFollow, RUN_STATES, type RunState } from "../domain/run-state.ts";
import type { RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { statementsWritingState, undone } from "../testing/state-statements.ts";
import { resumeParent } from "./callback.ts";
import { type Claimant, claimRuns } from "./claim-run.ts";
import { createRun, type NewRun } from "./create-run.ts";
import { releaseRun } from "./release-run.ts";
import { completePlainRuns, reportStarted } from "./reports.ts";
import { changeRun } from "./run-changes.ts";

const TOKEN = "00000000-0000-4000-8000-000000000001";
const CLAIMANT: Claimant = {
  runnerId: "runner",
  tags: [],
  hasSlot: true,
  leaseSeconds: 30,
  hookWaitSeconds: 30,
};

let database: Database;
const folder = temporaryFolder();
beforeAll(async () => {
  database = await openDatabase({ folder });
  await database.run({
    name: "",
    text: `INSERT INTO agents (name, revision, blueprint, etag)
      VALUES ('echo', 1, '{"name": "echo", "hooks": {}, "tags": [], "max_attempts": 1}', 'x')`,
  });
});
afterAll(() => database.close());

const execute = (queries: Queries, text: string, values: readonly string[] = []) =>
  queries.run({ name: "", text }, values);

/** A run in any state, under a lease that every report has the token of. */
async function store(
  queries: Queries,
  state: RunState,
  { kind = "client", needsPreparation = false } = {},
): Promise<RunRow> {
  await execute(queries, "INSERT INTO sessions (id, agent_name, kind) VALUES ('ses', 'echo', 'client')");
  await execute(
    queries,
    `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks, needs_preparation,
      lease_token, lease_until, runner_id, attempt, is_plain)
    VALUES ('run', 'ses', 'echo', 1, $2, $1, 'async_poll', '{}', '{"on_run_start": {"mode": "sync"}}', $3, $4, now(), 'runner', 1, true)`,
    [state, kind, String(needsPreparation), TOKEN],
  );
  return stored(queries);
}

async function stored(queries: Queries): Promise<RunRow> {
  const run = await readRun(queries, "run");
  if (run === undefined) throw new Error("the run is gone");
  return run;
}

const report = { id: "run", token: TOKEN, result_text: null, result_data: null };
const claim = (queries: Queries) => claimRuns(queries, [CLAIMANT]);
const claimWithTags = (queries: Queries) => claimRuns(queries, [{ ...CLAIMANT, tags: ["gpu"] }]);

/** Every statement that changes a state, by the beginning of its name, with the runs that it may meet. */
const STATEMENTS: readonly {
  readonly name: string;
  readonly run?: { readonly kind?: string; readonly needsPreparation?: boolean };
  readonly from?: readonly RunState[];
  change(queries: Queries): Promise<unknown>;
}[] = [
  { name: "claim-plain-runs", change: claim },
  { name: "claim-runs-", change: claimWithTags },
  { name: "claim-runs-", run: { kind: "hook" }, change: claimWithTags },
  { name: "claim-runs-", run: { kind: "callback" }, change: claimWithTags },
  // Only a run that was never claimed needs preparation: the claim that begins it ends the need.
  { name: "claim-runs-", run: { needsPreparation: true }, from: ["pending"], change: claim },
  { name: "report-started", change: (queries) => reportStarted(queries, "run", TOKEN) },
  { name: "report-completed", change: (queries) => completePlainRuns(queries, [report]) },
  {
    name: "release-run",
    change: (queries) => releaseRun(queries, "run", TOKEN, { hookWaitSeconds: 30, reason: "" }),
  },
];

test.each(STATEMENTS)("$name $run changes the state of a run only as the table allows", async (statement) => {
  const changes: string[] = [];
  for (const from of statement.from ?? RUN_STATES) {
    const to = await undone(database, async (queries) => {
      await store(queries, from, statement.run);
      await statement.change(queries);
      return (await stored(queries)).state;
    });
    if (to === from) continue;
    expect(mayFollow(from, to), `${from} to ${to}`).toBe(true);
    changes.push(`${from} to ${to}`);
  }
  expect(changes).not.toEqual([]);
});

test("change-run changes a run to the states of the table and to no other", async () => {
  for (const from of RUN_STATES) {
    for (const to of RUN_STATES) {
      await undone(database, async (queries) => {
        const run = await store(queries, from);
        const changing = changeRun(queries, run, to, {}, { type: "run_failed", data: {} });
        if (from === to || mayFollow(from, to)) expect((await changing).state).toBe(to);
        else await expect(changing).rejects.toThrow(`is ${from} and cannot become ${to}`);
      });
    }
  }
});

test("change-run refuses a run that has changed since it was read", async () => {
  await undone(database, async (queries) => {
    const run = await store(queries, "running");
    await execute(queries, "UPDATE runs SET state = 'stopping'");
    const event = { type: "run_ready", data: { parameters_changed: false } } as const;
    await expect(changeRun(queries, run, "ready", {}, event)).rejects.toThrow("is no longer running");
    expect((await stored(queries)).state).toBe("stopping");
  });
});

test("runs are created in an initial state", async () => {
  const wanted: NewRun = {
    agentName: "echo",
    revision: 1,
    kind: "client",
    executionMode: "async_poll",
    parameters: {},
    hooks: {},
    tags: [],
    maxAttempts: 1,
    hasOutputSchema: false,
  };
  const rows = await undone(database, async (queries) => {
    await createRun(queries, wanted);
    await createRun(queries, { ...wanted, reservation: { claimant: CLAIMANT, leaseToken: TOKEN } });
    await createRun(queries, { ...wanted, sessionId: "ses_named" });
    await execute(
      queries,
      `INSERT INTO sessions (id, agent_name, kind, parent_session_id)
        VALUES ('parent', 'echo', 'client', NULL), ('child', 'echo', 'client', 'parent')`,
    );
    const ended: Partial<RunRow> = {
      id: "x",
      session_id: "child",
      execution_mode: "async_callback",
      state: "completed",
      requesters: [],
      depth: 0,
    };
    await resumeParent(queries, ended as RunRow);
    const text = "SELECT state, kind FROM runs ORDER BY number";
    return queries.run<{ state: RunState; kind: string }>({ name: "", text });
  });
  expect(rows.map(({ kind }) => kind)).toEqual(["client", "client", "client", "callback"]);
  expect(rows.every(({ state }) => isInitial(state))).toBe(true);
});

test("no other statement of the coordinator writes the state of a run", async () => {
  const tested = [
    ...STATEMENTS.map(({ name }) => name),
    "change-run",
    "create-runs",
    "create-run-in-session",
    "call-back",
  ];
  expect(await statementsWritingState("runs", /\$\{storing/)).toEqual([...new Set(tested)].sort());
});
