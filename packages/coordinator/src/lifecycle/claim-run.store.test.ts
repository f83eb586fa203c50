import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database, Queries } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { openServer } from "../database/server/server-database.ts";
import { rowsRead } from "../testing/rows-read.ts";
import { ClaimExpectation, claimRuns } from "./claim-run.ts";

const WAITING = 5_000;

describe.each(["embedded", "server"] as const)("a claim on an %s database", (kind) => {
  let database: Database;
  let url: string | undefined;
  const folder = temporaryFolder();
  beforeAll(async () => {
    url = kind === "server" ? await freshPostgres() : undefined;
    database = await openDatabase({ url, folder, connections: 1 });
  });
  afterAll(() => database.close());
  beforeEach(() => change("TRUNCATE runs, sessions, events"));

  const change = <R>(text: string) => database.run<R>({ name: "", text });

  /** Stores runs that wait, in the order of their ids. */
  const store = (ids: string, { tags = "{}", kind = "client", session = "'ses_' || n" } = {}) =>
    change(`INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, tags)
      SELECT ${ids}, ${session}, 'echo', 1, '${kind}', 'pending', 'async_poll', '{}', '${tags}'
      FROM generate_series(1, ${ids.includes("|| n") ? WAITING : 1}) AS n`);

  const claim = async (tags: readonly string[], count = 1, hasSlot = true) => {
    const claimant = { tags, hasSlot, leaseSeconds: 30, hookWaitSeconds: 30 };
    const claimants = Array.from({ length: count }, (_, place) => ({
      ...claimant,
      runnerId: `runner_${place}`,
    }));
    return (await claimRuns(database, claimants)).map((run) => run?.id);
  };

  test("takes the oldest of everything that the runner has the tags for", async () => {
    await store("'one'", { tags: "{gpu}" });
    await store("'two'", { tags: "{linux,gpu}" });
    await store("'three'");
    await store("'four'", { tags: "{windows}" });
    await store("'five'", { tags: "{gpu}" });
    await store("'six'", { tags: "{gpu,linux}" });
    expect(await claim(["gpu", "linux"])).toEqual(["one"]);
    expect((await claim(["gpu", "linux"], 3)).sort()).toEqual(["five", "three", "two"]);
    expect(await claim([])).toEqual([undefined]);
    expect(await claim(["gpu", "linux"], 2)).toEqual(["six", undefined]);
    expect(await claim(["windows", "gpu"])).toEqual(["four"]);
  });

  test("takes runs of hooks first, and only them without a slot", async () => {
    await store("'client'");
    await store("'hook'", { kind: "hook" });
    await store("'other-hook'", { kind: "hook", tags: "{gpu}" });
    expect(await claim([], 2, false)).toEqual(["hook", undefined]);
    expect(await claim(["gpu"], 2)).toEqual(["other-hook", "client"]);
  });

  test("is one statement a claim while hooks wait, and the short one again afterwards", async () => {
    await change(`INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters)
      SELECT 'hook_' || n, 'ses', 'echo', 1, 'hook', 'pending', 'async_poll', '{}' FROM generate_series(1, 3) AS n`);
    await store("'client'");
    await store("'later'");
    const statements: string[] = [];
    const counted: Queries = {
      run: (statement, values) => {
        statements.push(statement.name.replace(/-\d+$/, ""));
        return database.run(statement, values);
      },
    };
    const claimant = { runnerId: "runner", tags: [], hasSlot: true, leaseSeconds: 30, hookWaitSeconds: 30 };
    const expected = new ClaimExpectation();
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < 5; n++) taken.push((await claimRuns(counted, [claimant], expected))[0]?.id);
    expect(taken).toEqual(["hook_1", "hook_2", "hook_3", "client", "later"]);
    expect(statements).toEqual([
      "claim-plain-runs",
      "claim-runs",
      "claim-runs",
      "claim-runs",
      "claim-runs",
      "claim-plain-runs",
    ]);
  });

  test("takes one callback of an idle session, and none of a busy one", async () => {
    await change(`INSERT INTO sessions (id, agent_name, kind, active_run_id)
      VALUES ('idle', 'echo', 'client', NULL), ('busy', 'echo', 'client', 'another')`);
    await store("'waits'", { kind: "callback", session: "'busy'" });
    await store("'first'", { kind: "callback", session: "'idle'" });
    await store("'second'", { kind: "callback", session: "'idle'" });
    await store("'third'", { kind: "callback", session: "'idle'", tags: "{gpu}" });
    expect(await claim(["gpu"], 4)).toEqual(["first", undefined, undefined, undefined]);
    expect(await claim(["gpu"])).toEqual([undefined]);
    await change("UPDATE sessions SET active_run_id = NULL WHERE id = 'idle'");
    expect(await claim(["gpu"])).toEqual(["second"]);
  });

  test("reads nothing of what it cannot take, however much of that waits", async () => {
    await change(
      "INSERT INTO sessions (id, agent_name, kind, active_run_id) VALUES ('busy', 'echo', 'client', 'x')",
    );
    await store("'absent_' || n", { tags: "{absent}" });
    await store("'hook_' || n", { tags: "{absent}", kind: "hook" });
    await store("'callback_' || n", { kind: "callback", session: "'busy'" });
    await store("'mine'");
    await change("ANALYZE");
    for (const [found, tags] of [
      ["mine", []],
      [undefined, ["gpu"]],
    ] as const) {
      const before = await rowsRead(database);
      expect(await claim(tags)).toEqual([found]);
      expect((await rowsRead(database)) - before).toBeLessThan(100);
    }
  });

  // An embedded database has one transaction at a time.
  if (kind === "server")
    test("goes past what other claims are taking, however much that is", async () => {
      await store("'run_0' || n + 1000");
      const other = await openServer(url ?? "");
      try {
        await other.transaction(async (queries) => {
          await queries.run({
            name: "",
            text: "SELECT FROM runs ORDER BY number LIMIT 100 FOR UPDATE",
          });
          expect((await claim([], 2)).sort()).toEqual(["run_01101", "run_01102"]);
        });
        expect(await claim([])).toEqual(["run_01001"]);
      } finally {
        await other.close();
      }
    });
});
