import { type BlueprintInput, blueprint } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { saveAgent } from "../agents/save-agent.ts";
import { Coordinator, type CoordinatorOptions } from "../coordinator.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { RunRow } from "../store/rows.ts";
import type { ClaimedRun } from "./claim-run.ts";

const plain: BlueprintInput = { name: "plain", type: "procedural", command: ["cat"], max_attempts: 1 };
const hooked = (name: string, on_error: "block" | "continue" = "block"): BlueprintInput => ({
  ...plain,
  name,
  hooks: { on_run_start: { type: "http", url: "http://hook.example/", on_error } },
});

/** Rows that no code of ours writes, and that make it throw: what a defect would leave behind. */
const BREAK_HOOKS = {
  name: "",
  text: `UPDATE runs SET hooks = jsonb_set(hooks, '{on_run_start,url}', '"no address"') WHERE id = $1`,
};
const BREAK_RUN = { name: "", text: "UPDATE runs SET hooks = 'null' WHERE id = $1" };
const EXPIRE_LEASES = {
  name: "",
  text: "UPDATE runs SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL",
};
const OUTCOME = { name: "", text: "SELECT state, error_code FROM runs WHERE id = $1" };
const EXPIRE_APPROVALS = { name: "", text: "UPDATE approvals SET expires_at = now() - interval '1 second'" };

describe.each(["embedded", "server"] as const)("over an %s database", (kind) => {
  let database: Database;
  let errors: string[];
  const folder = temporaryFolder();
  beforeAll(async () => {
    database = await openDatabase({ folder, url: kind === "server" ? await freshPostgres() : undefined });
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    errors = [];
    await database.run({ name: "", text: "TRUNCATE sessions, runs, run_hooks, approvals, events" });
    await database.transaction(async (queries) => {
      for (const each of [plain, hooked("guarded"), hooked("watched", "continue")]) {
        await saveAgent(queries, blueprint.parse(each), undefined);
      }
    });
  });

  async function coordinator(options: Partial<CoordinatorOptions> = {}): Promise<Coordinator> {
    const made = new Coordinator(database, {
      callHttpHook: async () => ({ type: "answered", value: { action: "continue", parameters: {} } }),
      sweepMs: 20,
      report: (error) => void errors.push(String(error)),
      ...options,
    });
    await made.start();
    onTestFinished(() => made.close());
    return made;
  }

  async function start(made: Coordinator, agent_name: string): Promise<RunRow> {
    return (await made.startRun({ agent_name, parameters: {}, execution_mode: "async_poll" })).run;
  }

  async function claim(made: Coordinator): Promise<ClaimedRun> {
    const { leaseSeconds, hookWaitSeconds } = made.limits;
    const claimant = { runnerId: "r", tags: [], hasSlot: true, leaseSeconds, hookWaitSeconds };
    const assignment = await made.nextAssignment(claimant, 60_000, new AbortController().signal);
    if (assignment?.type !== "run") throw new Error("no run was offered");
    return assignment.run;
  }

  async function begin(made: Coordinator): Promise<void> {
    const { id, lease_token } = await claim(made);
    await made.lifecycle.reportStarted(id, lease_token ?? "");
  }

  const ended = (made: Coordinator, id: string) => made.waitForEnd(id, 60_000, new AbortController().signal);

  test("a hook whose caller throws fails by its on_error, and the coordinator continues", async () => {
    const made = await coordinator({
      callHttpHook: () => Promise.reject(new RangeError("Maximum call stack size exceeded")),
    });
    const guarded = await start(made, "guarded");
    const watched = await start(made, "watched");
    expect(await claim(made)).toMatchObject({ id: watched.id, state: "claimed" });
    expect(await ended(made, guarded.id)).toMatchObject({
      state: "failed",
      error_code: "hook_failed",
      error: expect.stringContaining("Maximum call stack size exceeded"),
    });
  });

  test("a hook that throws whenever it begins is set aside with its run, reported once, and others continue", async () => {
    const made = await coordinator();
    const broken = await start(made, "guarded");
    await database.run(BREAK_HOOKS, [broken.id]);
    const sound = await start(made, "guarded");
    expect(await claim(made)).toMatchObject({ id: sound.id });
    expect(await ended(made, broken.id)).toMatchObject({
      state: "failed",
      error_code: "set_aside",
      error: expect.stringContaining("Invalid URL"),
    });
    expect(errors.filter((error) => error.includes("set aside"))).toHaveLength(1);
    expect(errors.length).toBeLessThanOrEqual(2);
    // What made it throw may pass: three tries, a second between them.
    const times =
      "SELECT extract(epoch FROM finished_at - created_at)::float8 AS seconds, attempt FROM run_hooks WHERE run_id = $1";
    const [hook] = await database.run<{ seconds: number; attempt: number }>({ name: "", text: times }, [
      broken.id,
    ]);
    expect(hook).toMatchObject({ attempt: 3 });
    expect(hook?.seconds).toBeGreaterThan(2);
  });

  test("a lost run that throws whenever it ends is set aside, and the ones after it are ended", async () => {
    const made = await coordinator();
    const broken = await start(made, "plain");
    await begin(made);
    const sound = await start(made, "plain");
    await begin(made);
    await database.run(BREAK_RUN, [broken.id]);
    // Again and again: a coordinator that has started renews all leases once.
    const expired = async () => {
      await database.run(EXPIRE_LEASES);
      return database.run(OUTCOME, [sound.id]);
    };
    await expect.poll(expired).toMatchObject([{ state: "failed", error_code: "runner_lost" }]);
    expect(await ended(made, broken.id)).toMatchObject({ state: "failed", error_code: "set_aside" });
    expect(errors).toEqual([expect.stringContaining("TypeError")]);
    const next = await start(made, "plain");
    expect(await claim(made)).toMatchObject({ id: next.id });
  });

  test("an approval that throws whenever it expires ends with its run", async () => {
    const made = await coordinator({
      callHttpHook: async () => ({ type: "answered", value: { action: "ask", reason: "may it?" } }),
    });
    const broken = await start(made, "guarded");
    const waiting = claim(made).catch(() => undefined);
    const asked = () =>
      database.run({ name: "", text: "SELECT id FROM approvals WHERE run_id = $1" }, [broken.id]);
    await expect.poll(asked).toHaveLength(1);
    await database.run(BREAK_RUN, [broken.id]);
    await database.run(EXPIRE_APPROVALS);
    expect(await ended(made, broken.id)).toMatchObject({ state: "failed", error_code: "set_aside" });
    const [approval] = await database.run<{ state: string }>({
      name: "",
      text: "SELECT state FROM approvals",
    });
    expect(approval?.state).toBe("cancelled");
    const next = await start(made, "plain");
    expect(await waiting).toMatchObject({ id: next.id });
  });

  test("a listener that throws does not keep the events from the others", async () => {
    const made = await coordinator();
    const heard: string[] = [];
    made.feed.listen(() => {
      throw new Error("a defect");
    });
    made.feed.listen((events) => heard.push(...events.map(({ run_id }) => String(run_id))));
    const { id } = await start(made, "plain");
    await expect.poll(() => heard).toContain(id);
    expect(errors[0]).toContain("a defect");
  });
});
