import type { BlueprintInput, LatestEvents, ProblemBody, RunEvent } from "@tenterhook/protocol/runs";
import { type EventReader, freshPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { cursorText } from "../events/feed.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("the stream over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  const opened: EventReader[] = [];
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    await coordinator.save(echo, { ...echo, name: "other" });
  });
  afterAll(() => coordinator.close());
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
    expect(coordinator.errors.splice(0)).toEqual([]);
  });

  async function follow(query = "", headers: Record<string, string> = {}): Promise<EventReader> {
    const reader = await coordinator.follow(query, headers);
    opened.push(reader);
    return reader;
  }

  test("streams events as they are read from a run", async () => {
    // "From now on" may begin a little before: other databases of the server hold it back. Agents were saved then, and no run was.
    const reader = await follow("?types=run_created");
    expect(reader.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const { run_id } = await coordinator.start("echo");
    const [event] = await reader.take<RunEvent>(1);
    expect([event]).toEqual(await coordinator.events(run_id));
    expect(reader.lastId).toBe(event?.id);
  });

  test("answers a HEAD request with the headers of the stream, and ends", async () => {
    const { status, headers, body } = await coordinator.admin.call("HEAD", "/events", {
      signal: AbortSignal.timeout(60_000),
    });
    expect([status, headers.get("content-type"), body]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "",
    ]);
  });

  test("streams only what the filter matches", async () => {
    const { run_id, session_id } = await coordinator.start("echo");
    // A stream without a cursor begins before what an open transaction on the server holds back; this is a cursor.
    const [created] = await coordinator.events(run_id);
    const readers = await Promise.all(
      [`?run_id=${run_id}`, `?session_id=${session_id}`, "?agent=echo&types=run_stopped", "?agent=other"].map(
        (query) => follow(`${query}&after=${created?.id}`),
      ),
    );
    await coordinator.start("other");
    await coordinator.admin.post(`/runs/${run_id}/stop`);
    const seen = await Promise.all(readers.map((reader) => reader.take<RunEvent>(1)));
    expect(seen.flat().map(({ event_type, run_id }) => [event_type, run_id])).toEqual([
      ["run_stopped", run_id],
      ["run_stopped", run_id],
      ["run_stopped", run_id],
      ["run_created", expect.not.stringContaining(run_id)],
    ]);
  });

  test.each([
    ["run_compleetd", "Did you mean run_completed? The types are run_created, "],
    ["run_created,nonsense", "The types are run_created, "],
    ["", "The types are run_created, "],
  ])("refuses the event types %j, of which one does not exist", async (types, hint) => {
    const { status, body } = await coordinator.admin.get<ProblemBody>(`/events?types=${types}`);
    expect([status, body.code, body.field]).toEqual([400, "bad_request", "types"]);
    expect(body.hint).toMatch(new RegExp(`^${hint.replaceAll("?", "\\?")}`));
  });

  test("misses and repeats nothing with many writers while readers connect and disconnect", async () => {
    const { run_id } = await coordinator.start("echo");
    let [{ id: cursor = "" } = {}] = await coordinator.events(run_id);
    const ids: string[] = [];
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 15; n++) ids.push((await coordinator.start("echo", { writer, n })).run_id);
      }),
    );
    // Each reads a few events and ends; the next continues from its cursor.
    const received: RunEvent[] = [];
    for (const size of [1, 7, 3, 20, 2, 40, 11, 36]) {
      const reader = await follow("", { "last-event-id": cursor });
      received.push(...(await reader.take<RunEvent>(size)));
      cursor = received.at(-1)?.id ?? "";
      reader.close();
    }
    await writing;
    expect(received.map(({ run_id }) => run_id)).toHaveLength(120);
    expect(new Set(received.map(({ run_id }) => run_id))).toEqual(new Set(ids));
    expect(received.map(({ id }) => id)).toEqual(received.map(({ id }) => id).sort(byCursor));
  });

  test("starts at the oldest stored event, also for one run only", async () => {
    const { run_id } = await coordinator.start("echo");
    await coordinator.admin.post(`/runs/${run_id}/stop`);
    const all = await follow("?after=0-0");
    const [oldest] = await all.take<RunEvent>(1);
    expect(oldest).toMatchObject({ event_type: "agent_saved", run_id: null, number: null });
    const one = await follow(`?after=0-0&run_id=${run_id}`);
    expect((await one.take<RunEvent>(2)).map(({ number }) => number)).toEqual([1, 2]);
    const session = await follow(`?after=0-0&session_id=${(await coordinator.run(run_id)).session_id}`);
    expect((await session.take<RunEvent>(2)).map(({ number }) => number)).toEqual([1, 2]);
  });

  /** As if everything had been cleared away that has happened so far. */
  async function trimAll(): Promise<void> {
    const { database, feed } = coordinator.served.coordinator;
    const text =
      "INSERT INTO settings (name, value) VALUES ('events_trimmed', $1::jsonb) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    await database.run({ name: "", text }, [JSON.stringify({ xid: feed.position.xid, id: 1 })]);
    onTestFinished(async () => {
      await database.run({ name: "", text: "DELETE FROM settings WHERE name = 'events_trimmed'" });
    });
  }

  test.each([
    ["too late", "3-1"],
    ["from another store", "9999999999-1"],
  ])("a client that returns %s is reset, and then gets new events", async (_, cursor) => {
    const { feed } = coordinator.served.coordinator;
    // This one has no subscriber, and the hub knows all the same that it has ended.
    const [before] = await coordinator.events((await coordinator.start("echo")).run_id);
    await expect.poll(() => cursorText(feed.position)).toBe(before?.id);
    await trimAll();
    const reader = await follow("", { "last-event-id": cursor });
    const messages = reader.messages();
    expect((await messages.next()).value).toEqual({ event: "reset", data: "{}", id: before?.id });
    const { run_id } = await coordinator.start("echo");
    const { value } = await messages.next();
    expect(JSON.parse(value?.data ?? "")).toMatchObject({ run_id, event_type: "run_created" });
  });

  // An embedded database has one transaction at a time.
  if (kind === "server")
    test("begins anew before what an open transaction holds back", async () => {
      const { database } = coordinator.served.coordinator;
      await trimAll();
      let messages: ReturnType<EventReader["messages"]> | undefined;
      const { run_id } = await database.transaction(async (queries) => {
        await queries.run({ name: "", text: "SELECT pg_current_xact_id()" });
        const heldBack = await coordinator.start("echo");
        messages = (await follow("", { "last-event-id": "3-1" })).messages();
        expect((await messages.next()).value).toMatchObject({ event: "reset" });
        return heldBack;
      });
      const { value } = (await messages?.next()) ?? {};
      expect(JSON.parse(value?.data ?? "")).toMatchObject({ run_id, event_type: "run_created" });
    });

  test("continues after the latest events without a gap, for a client that subscribed before reading them", async () => {
    const first = await coordinator.start("echo");
    const [begun] = await coordinator.events(first.run_id);
    const reader = await follow(`?after=${begun?.id}`);
    const { run_id } = await coordinator.start("echo");
    const [received] = await reader.take<RunEvent>(1);
    const latest = async (limit: number) =>
      (await coordinator.admin.get<LatestEvents>(`/events/latest?limit=${limit}`)).body.events;
    await expect.poll(() => latest(2)).toEqual([begun, received]);
    expect(await latest(1)).toEqual(await coordinator.events(run_id));
    expect((await coordinator.admin.get("/events/latest?limit=1001")).status).toBe(400);
  });

  test("is refused with a malformed cursor", async () => {
    for (const after of ["x", "1-x", "99999999999999999999-1"]) {
      await expect(follow(`?after=${after}`)).rejects.toThrow("not the id of an event");
    }
  });
});

test("a subscriber continues at another coordinator of the same store, without a gap and without a repetition", async () => {
  const url = await freshPostgres();
  const [one, two] = [await TestCoordinator.open({ url }), await TestCoordinator.open({ url })];
  try {
    await one.save(echo);
    const { run_id } = await one.start("echo");
    let [{ id: cursor = "" } = {}] = await one.events(run_id);
    const writing = Promise.all(
      [one, two, one, two].map(async (coordinator) => {
        const ids: string[] = [];
        for (let n = 0; n < 15; n++) ids.push((await coordinator.start("echo", { n })).run_id);
        return ids;
      }),
    );
    const received: RunEvent[] = [];
    for (let round = 0; received.length < 60; round++) {
      const reader = await (round % 2 === 0 ? one : two).follow("", { "last-event-id": cursor });
      received.push(...(await reader.take<RunEvent>(4)));
      cursor = received.at(-1)?.id ?? "";
      reader.close();
    }
    const ids = (await writing).flat();
    expect(received.map(({ run_id }) => run_id)).toHaveLength(60);
    expect(new Set(received.map(({ run_id }) => run_id))).toEqual(new Set(ids));
  } finally {
    await one.close();
    await two.close();
  }
});

function byCursor(a: string, b: string): number {
  const [xidA = "", idA] = a.split("-");
  const [xidB = "", idB] = b.split("-");
  return xidA === xidB ? Number(idA) - Number(idB) : BigInt(xidA) < BigInt(xidB) ? -1 : 1;
}
