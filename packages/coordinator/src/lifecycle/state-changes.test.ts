import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { isInitial, mayFollow, RUN_STATES, type RunState } from "../domain/run-state.ts";
import type { RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
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
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "tenterhook-states-"));
  database = await openDatabase({ folder });
  await execute("INSERT INTO agents (name, revision, blueprint, etag) VALUES ('echo', 1, '{}', 'x')");
  return async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
}, 60_000);
beforeEach(() => execute("TRUNCATE runs, sessions, events, run_hooks"));

const execute = (text: string, values: readonly string[] = []) => database.run({ name: "", text }, values);

/** A run in any state, under a lease that every report has the token of. */
async function store(state: RunState, { kind = "client", needsPreparation = false } = {}): Promise<RunRow> {
  await execute("INSERT INTO sessions (id, agent_name, kind) VALUES ('ses', 'echo', 'client')");
  await execute(
    `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, hooks, needs_preparation,
      lease_token, lease_until, runner_id, attempt, is_plain)
    VALUES ('run', 'ses', 'echo', 1, $2, $1, 'async_poll', '{}', '{"on_run_start": {"mode": "sync"}}', $3, $4, now(), 'runner', 1, true)`,
    [state, kind, String(needsPreparation), TOKEN],
  );
  return stored();
}

async function stored(): Promise<RunRow> {
  const run = await readRun(database, "run");
  if (run === undefined) throw new Error("the run is gone");
  return run;
}

const report = { id: "run", token: TOKEN, result_text: null, result_data: null };
const claimBySlot = () => claimRuns(database, [CLAIMANT]);
const claimByTags = () => claimRuns(database, [{ ...CLAIMANT, tags: ["gpu"] }]);

/** Every statement that changes a state, by its name, with the rows that it may meet. */
const STATEMENTS: readonly {
  readonly name: string;
  readonly run?: { readonly kind?: string; readonly needsPreparation?: boolean };
  readonly from?: readonly RunState[];
  change(): Promise<unknown>;
}[] = [
  { name: "claim-plain-runs", change: claimBySlot },
  { name: "claim-runs-", change: claimByTags },
  { name: "claim-runs-", run: { kind: "hook" }, change: claimByTags },
  { name: "claim-runs-", run: { kind: "callback" }, change: claimByTags },
  // Only a run that was never claimed needs preparation: the claim that begins it ends the need.
  { name: "claim-runs-", run: { needsPreparation: true }, from: ["pending"], change: claimBySlot },
  { name: "report-started", change: () => reportStarted(database, "run", TOKEN) },
  { name: "report-completed", change: () => completePlainRuns(database, [report]) },
  {
    name: "release-run",
    change: () => releaseRun(database, "run", TOKEN, { hookWaitSeconds: 30, reason: "" }),
  },
];

const CASES = STATEMENTS.flatMap(({ name, run, from = RUN_STATES, change }) =>
  from.map((state) => ({ name, state, about: JSON.stringify(run ?? {}), run, change })),
);

test.each(CASES)("$name changes a run that is $state $about only as the table allows", async (each) => {
  await store(each.state, each.run);
  await each.change();
  const { state } = await stored();
  if (state !== each.state) expect(mayFollow(each.state, state), `${each.state} to ${state}`).toBe(true);
});

test("every statement changes some state", async () => {
  const changed = new Set<string>();
  for (const { name, state, run, change } of CASES) {
    await execute("TRUNCATE runs, sessions, events, run_hooks");
    await store(state, run);
    await change();
    if ((await stored()).state !== state) changed.add(name);
  }
  expect([...changed].sort()).toEqual([...new Set(STATEMENTS.map(({ name }) => name))].sort());
});

test.each(RUN_STATES)(
  "change-run changes a run that is %s to the states of the table and no other",
  async (from) => {
    for (const to of RUN_STATES) {
      await execute("TRUNCATE runs, sessions, events");
      const run = await store(from);
      const changing = changeRun(database, run, to, {}, { type: "run_failed", data: {} });
      if (from === to || mayFollow(from, to)) expect((await changing).state).toBe(to);
      else await expect(changing).rejects.toThrow(`is ${from} and cannot become ${to}`);
    }
  },
);

test("change-run refuses a run that has changed since it was read", async () => {
  const run = await store("running");
  await execute("UPDATE runs SET state = 'stopping'");
  const changing = changeRun(
    database,
    run,
    "ready",
    {},
    { type: "run_ready", data: { parameters_changed: false } },
  );
  await expect(changing).rejects.toThrow("is no longer running");
  expect((await stored()).state).toBe("stopping");
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
  await createRun(database, wanted);
  await createRun(database, { ...wanted, reservation: { claimant: CLAIMANT, leaseToken: TOKEN } });
  await createRun(database, { ...wanted, sessionId: "ses_named" });
  await execute("INSERT INTO sessions (id, agent_name, kind) VALUES ('parent', 'echo', 'client')");
  await execute(
    "INSERT INTO sessions (id, agent_name, kind, parent_session_id) VALUES ('ses', 'echo', 'client', 'parent')",
  );
  await execute(
    `UPDATE agents SET blueprint = '{"name": "echo", "hooks": {}, "tags": [], "max_attempts": 1}'`,
  );
  const ended = { id: "x", session_id: "ses", execution_mode: "async_callback", state: "completed" };
  await resumeParent(database, ended as RunRow);
  const rows = await database.run<{ state: RunState; kind: string }>({
    name: "",
    text: "SELECT state, kind FROM runs ORDER BY number",
  });
  expect(rows.map(({ kind }) => kind)).toEqual(["client", "client", "client", "callback"]);
  expect(rows.every(({ state }) => isInitial(state))).toBe(true);
});

test("no other statement of the coordinator writes the state of a run", async () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const names = new Set<string>();
  for (const file of await readdir(root, { recursive: true })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || file.startsWith("testing")) continue;
    // From the name of each statement to the name of the next one.
    const [, ...statements] = (await readFile(join(root, file), "utf8")).split(/\bname: [`"]/);
    for (const statement of statements) {
      const updates = statement.match(/UPDATE runs SET[\s\S]*?(?:\bWHERE\b|\bFROM\b)/g) ?? [];
      const writes = updates.some((update) => /\bstate =/.test(update));
      if (writes || /INSERT INTO runs\b|\$\{storing/.test(statement))
        names.add(/^[\w-]*/.exec(statement)?.[0] ?? "");
    }
  }
  const tested = [
    ...STATEMENTS.map(({ name }) => name),
    "change-run",
    "create-runs",
    "create-run-in-session",
    "call-back",
  ];
  expect([...names].sort()).toEqual([...new Set(tested)].sort());
});
