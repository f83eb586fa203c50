import { runsQuery, sessionsQuery } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { Text } from "../database/parameters.ts";
import { queriesOver } from "../database/queries.ts";
import { Connections } from "../database/server/connections.ts";
import { listRuns } from "./run-list.ts";
import type { Listed } from "./search-parts.ts";
import { listSessions } from "./session-list.ts";

// By the rules of a language, unlike the databases of the other tests: there, the beginning of a text is no range of an
// ordinary index.
let database: Database;
let connections: Connections;
const folder = temporaryFolder();
beforeAll(async () => {
  const url = await freshPostgres();
  const english = `english_${url.split("_").at(-1)}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${english} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`);
  await client.end();
  const { href } = new URL(`/${english}`, url);
  database = await openDatabase({ folder, url: href });
  connections = new Connections(href, {});
  const many = "generate_series(1, 20000) AS n";
  for (const text of [
    "INSERT INTO blueprints (name, revision, blueprint) SELECT 'agent-' || n, 1, '{}' FROM generate_series(1, 20) AS n",
    `INSERT INTO sessions (id, agent_name, kind, created_at)
      SELECT 'ses_' || md5(n::text), 'agent-' || n % 20, 'client', now() - n * interval '1 second' FROM ${many}`,
    `INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters, created_at)
      SELECT 'run_' || md5(n::text), 'ses_' || md5(n::text), 'agent-' || n % 20, 1, 'client', 'completed', 'async_poll',
        '{}', now() - n * interval '1 second' FROM ${many}`,
    "ANALYZE",
  ]) {
    await database.run({ name: "", text });
  }
});
afterAll(async () => {
  await database.close();
  await connections.close();
});

/** How the database goes about the statement of a list: the last one with a limit. */
async function planOf(list: (database: Listed) => Promise<unknown>): Promise<string> {
  let last: { readonly text: string; readonly values: readonly Text[] } | undefined;
  const queries = queriesOver(async (statement, values) => {
    if (statement.text.includes("LIMIT")) last = { text: statement.text, values };
    return connections.send(statement, values);
  });
  await list({ run: queries.run, transaction: (work) => work(queries) });
  const explained = { name: "", text: `EXPLAIN ${last?.text}` };
  const rows = await database.run<{ "QUERY PLAN": string }>(explained, last?.values);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("runs are found by the beginning of an id, through indexes", async () => {
  const search = "run_c4ca4238a0";
  expect((await listRuns(database, runsQuery.parse({ search }))).runs).toHaveLength(1);
  const plan = await planOf((queries) => listRuns(queries, runsQuery.parse({ search })));
  expect(plan).toMatch(/Index Scan using runs_pkey on runs/);
  expect(plan).toMatch(/Index Scan using runs_by_session on runs/);
});

test("sessions are found by the beginning of an id, through an index", async () => {
  const search = "ses_c4ca4238a0";
  expect((await listSessions(database, sessionsQuery.parse({ search }))).sessions).toHaveLength(1);
  const plan = await planOf((queries) => listSessions(queries, sessionsQuery.parse({ search })));
  expect(plan).toMatch(/Index Scan using sessions_pkey|Index Scan on sessions_pkey/);
});

test("what is the name of an agent, too, is found as both", async () => {
  const runs = await listRuns(database, runsQuery.parse({ search: "AGENT-7", limit: 5 }));
  expect(runs.runs.map(({ agent_name }) => agent_name)).toEqual(Array.from({ length: 5 }, () => "agent-7"));
  const sessions = await listSessions(database, sessionsQuery.parse({ search: "agent-7", limit: 5 }));
  expect(sessions.sessions.map(({ agent_name }) => agent_name)).toEqual(
    Array.from({ length: 5 }, () => "agent-7"),
  );
});
