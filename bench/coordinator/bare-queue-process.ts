// The least that gives a run to a runner that waits, for any number of servers on one database: `node bare-queue-process.js URL`.
// A `POST` inserts the run's row into the coordinator's table and notifies; a listener that is notified answers the `GET` of the
// runner. No session, no events, no lease, no checks.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import pg from "pg";
import { reply, serveBare } from "./bare-server.ts";

const INSERT = {
  name: "insert",
  text: `
    WITH run AS (
      INSERT INTO runs (id, session_id, agent_name, revision, kind, state, execution_mode, parameters)
      VALUES ($1, $1, $2, 1, 'client', 'claimed', 'async_poll', $3)
      RETURNING id)
    SELECT pg_notify('bare', id) FROM run`,
};

const [url = ""] = process.argv.slice(2);
const writer = new pg.Client(url);
const listener = new pg.Client(url);
await Promise.all([writer.connect(), listener.connect()]);
await listener.query("LISTEN bare");

const waiting: ServerResponse[] = [];
const parametersOf = new Map<string, unknown>();

listener.on("notification", ({ payload = "" }) => {
  const runner = waiting.shift();
  const parameters = parametersOf.get(payload);
  parametersOf.delete(payload);
  if (runner !== undefined) reply(runner, { run: { run_id: payload, parameters } });
});

await serveBare({
  "GET runs": (_body, response) => waiting.push(response),
  "POST runs": async (body, response) => {
    const { agent_name, parameters } = JSON.parse(body);
    const id = `bare_${randomUUID()}`;
    parametersOf.set(id, parameters);
    await writer.query({ ...INSERT, values: [id, agent_name, JSON.stringify(parameters)] });
    reply(response, { run_id: id, parameters });
  },
});

process.once("disconnect", () => process.exit());
