import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase, type Queries } from "../database/database.ts";
import { Wakeups } from "../wakeups.ts";
import { EventHub } from "./event-hub.ts";
import { type Cursor, EventFeed } from "./feed.ts";

const INSERT = {
  name: "",
  text: "INSERT INTO events (type, data) VALUES ($1, '{}') RETURNING xid::text AS xid, id",
};

async function tell(queries: Queries, type: string): Promise<Cursor> {
  const [row] = await queries.run<Cursor>(INSERT, [type]);
  if (row === undefined) throw new Error("not stored");
  return row;
}

async function startHub(): Promise<{ database: Database; hub: EventHub; wakeups: Wakeups }> {
  const folder = await mkdtemp(join(tmpdir(), "tenterhook-hub-"));
  const database = await openDatabase({ folder });
  const wakeups = new Wakeups(database);
  await wakeups.start();
  const feed = new EventFeed(database, wakeups);
  await feed.start();
  const hub = new EventHub(feed);
  onTestFinished(async () => {
    hub.close();
    await feed.close();
    await wakeups.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { database, hub, wakeups };
}

/** The types of the events that somebody who joins at a place is told, until `last` is among them. */
function told(hub: EventHub, cursor: Cursor, last: string): Promise<string[]> {
  return new Promise((resolve) => {
    let text = "";
    hub.join(cursor, {}, (chunk) => {
      text += chunk;
      const types = [...text.matchAll(/"event_type":"(\w+)"/g)].map(([, type]) => type ?? "");
      if (types.includes(last)) resolve(types);
    });
  });
}

test("whoever knows an event already, from the store or another coordinator, is not told it again", async () => {
  const { database, hub, wakeups } = await startHub();
  let types: Promise<string[]> | undefined;
  await database.transaction(async (queries) => {
    const cursor = await tell(queries, "known");
    // The feed cannot have read it: it is not committed yet.
    types ??= told(hub, cursor, "news");
  });
  await tell(database, "news");
  wakeups.wake("events");
  expect(await types).toEqual(["news"]);
  expect(await told(hub, { xid: "0", id: 0 }, "news")).toEqual(["known", "news"]);
});
