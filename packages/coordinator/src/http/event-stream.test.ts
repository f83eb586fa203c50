import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  type BlueprintInput,
  type LatestEvents,
  type ProblemBody,
  RUN_EVENT_TYPES,
  type RunEvent,
} from "@tenterhook/protocol/runs";
import { type EventReader, freshPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { cursorText } from "../events/feed.ts";
import { CoordinatorWorld } from "../testing/coordinator-world.ts";
import { EventStreams } from "./event-streams.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("the stream over an %s database", (kind) => {
  let world: CoordinatorWorld;
  const opened: EventReader[] = [];
  beforeAll(async () => {
    world = await CoordinatorWorld.open(kind === "server" ? { url: await freshPostgres() } : {});
    await world.save(echo, { ...echo, name: "other" });
  }, 60_000);
  afterAll(() => world.close());
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
    expect(world.errors.splice(0)).toEqual([]);
  });

  async function follow(query = "", headers: Record<string, string> = {}): Promise<EventReader> {
    const reader = await world.follow(query, headers);
    opened.push(reader);
    return reader;
  }

  test("tells what happens, as it is read from a run", async () => {
    const reader = await follow();
    expect(reader.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const { run_id } = await world.start("echo");
    const [event] = await reader.take<RunEvent>(1);
    expect([event]).toEqual(await world.events(run_id));
    expect(reader.lastId).toBe(event?.id);
  });

  test("answers a HEAD request with the headers of the stream, and ends", async () => {
    const { status, headers, body } = await world.admin.call("HEAD", "/events", {
      signal: AbortSignal.timeout(5_000),
    });
    expect([status, headers.get("content-type"), body]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "",
    ]);
  });

  test("tells only what was asked for", async () => {
    const { run_id, session_id } = await world.start("echo");
    // "From now on" begins before whatever a transaction somewhere on the server still holds back; this is a place.
    const [created] = await world.events(run_id);
    const readers = await Promise.all(
      [`?run_id=${run_id}`, `?session_id=${session_id}`, "?agent=echo&types=run_stopped", "?agent=other"].map(
        (query) => follow(`${query}&after=${created?.id}`),
      ),
    );
    await world.start("other");
    await world.admin.post(`/runs/${run_id}/stop`);
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
    const { status, body } = await world.admin.get<ProblemBody>(`/events?types=${types}`);
    expect([status, body.code, body.field]).toEqual([400, "bad_request", "types"]);
    expect(body.hint).toMatch(new RegExp(`^${hint.replaceAll("?", "\\?")}`));
  });

  test("misses and repeats nothing, though many write and readers come and go", async () => {
    const { run_id } = await world.start("echo");
    let [{ id: place = "" } = {}] = await world.events(run_id);
    const ids: string[] = [];
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 15; n++) ids.push((await world.start("echo", { writer, n })).run_id);
      }),
    );
    // Each reads a few and goes; the next goes on from where that one was.
    const told: RunEvent[] = [];
    for (const size of [1, 7, 3, 20, 2, 40, 11, 36]) {
      const reader = await follow("", { "last-event-id": place });
      told.push(...(await reader.take<RunEvent>(size)));
      place = told.at(-1)?.id ?? "";
      reader.close();
    }
    await writing;
    expect(told.map(({ run_id }) => run_id)).toHaveLength(120);
    expect(new Set(told.map(({ run_id }) => run_id))).toEqual(new Set(ids));
    expect(told.map(({ id }) => id)).toEqual(told.map(({ id }) => id).sort(byPlace));
  });

  test("goes on from the beginning of what is kept, also for one run only", async () => {
    const { run_id } = await world.start("echo");
    await world.admin.post(`/runs/${run_id}/stop`);
    const all = await follow("?after=0-0");
    const [oldest] = await all.take<RunEvent>(1);
    expect(oldest).toMatchObject({ event_type: "run_created", number: 1 });
    const one = await follow(`?after=0-0&run_id=${run_id}`);
    expect((await one.take<RunEvent>(2)).map(({ number }) => number)).toEqual([1, 2]);
    const session = await follow(`?after=0-0&session_id=${(await world.run(run_id)).session_id}`);
    expect((await session.take<RunEvent>(2)).map(({ number }) => number)).toEqual([1, 2]);
  });

  /** As if everything had been cleared away that has happened so far. */
  async function trimAll(): Promise<void> {
    const { database, feed } = world.served.coordinator;
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
  ])("tells whoever comes back %s to begin anew, and then what happens", async (_, place) => {
    const { feed } = world.served.coordinator;
    // Nobody listens to this one, and the hub knows all the same that it is over.
    const [before] = await world.events((await world.start("echo")).run_id);
    await expect.poll(() => cursorText(feed.position)).toBe(before?.id);
    await trimAll();
    const reader = await follow("", { "last-event-id": place });
    const messages = reader.messages();
    expect((await messages.next()).value).toEqual({ event: "reset", data: "{}", id: before?.id });
    const { run_id } = await world.start("echo");
    const { value } = await messages.next();
    expect(JSON.parse(value?.data ?? "")).toMatchObject({ run_id, event_type: "run_created" });
  });

  // An embedded database has one transaction at a time.
  if (kind === "server")
    test("begins anew before what an open transaction holds back", async () => {
      const { database } = world.served.coordinator;
      await trimAll();
      let messages: ReturnType<EventReader["messages"]> | undefined;
      const { run_id } = await database.transaction(async (queries) => {
        await queries.run({ name: "", text: "SELECT pg_current_xact_id()" });
        const heldBack = await world.start("echo");
        messages = (await follow("", { "last-event-id": "3-1" })).messages();
        expect((await messages.next()).value).toMatchObject({ event: "reset" });
        return heldBack;
      });
      const { value } = (await messages?.next()) ?? {};
      expect(JSON.parse(value?.data ?? "")).toMatchObject({ run_id, event_type: "run_created" });
    });

  test("goes on after the latest events without a gap, for whoever followed before reading them", async () => {
    const first = await world.start("echo");
    const [begun] = await world.events(first.run_id);
    const reader = await follow(`?after=${begun?.id}`);
    const { run_id } = await world.start("echo");
    const [told] = await reader.take<RunEvent>(1);
    const latest = async (limit: number) =>
      (await world.admin.get<LatestEvents>(`/events/latest?limit=${limit}`)).body.events;
    await expect.poll(() => latest(2)).toEqual([begun, told]);
    expect(await latest(1)).toEqual(await world.events(run_id));
    expect((await world.admin.get("/events/latest?limit=1001")).status).toBe(400);
  });

  test("is refused with a place that is none", async () => {
    for (const after of ["x", "1-x", "99999999999999999999-1"]) {
      await expect(follow(`?after=${after}`)).rejects.toThrow("no event's id");
    }
  });
});

test("goes on at another coordinator of the same store, without a gap and without a repetition", async () => {
  const url = await freshPostgres();
  const [one, two] = [await CoordinatorWorld.open({ url }), await CoordinatorWorld.open({ url })];
  try {
    await one.save(echo);
    const { run_id } = await one.start("echo");
    let [{ id: place = "" } = {}] = await one.events(run_id);
    const writing = Promise.all(
      [one, two, one, two].map(async (world) => {
        const ids: string[] = [];
        for (let n = 0; n < 15; n++) ids.push((await world.start("echo", { n })).run_id);
        return ids;
      }),
    );
    const told: RunEvent[] = [];
    for (let round = 0; told.length < 60; round++) {
      const reader = await (round % 2 === 0 ? one : two).follow("", { "last-event-id": place });
      told.push(...(await reader.take<RunEvent>(4)));
      place = told.at(-1)?.id ?? "";
      reader.close();
    }
    const ids = (await writing).flat();
    expect(told.map(({ run_id }) => run_id)).toHaveLength(60);
    expect(new Set(told.map(({ run_id }) => run_id))).toEqual(new Set(ids));
  } finally {
    await one.close();
    await two.close();
  }
});

function byPlace(a: string, b: string): number {
  const [xidA = "", idA] = a.split("-");
  const [xidB = "", idB] = b.split("-");
  return xidA === xidB ? Number(idA) - Number(idB) : BigInt(xidA) < BigInt(xidB) ? -1 : 1;
}

describe("many and slow subscribers", () => {
  let world: CoordinatorWorld;
  beforeAll(async () => {
    world = await CoordinatorWorld.open({ url: await freshPostgres(), maxSubscribers: 101 });
    await world.save(echo);
  }, 60_000);
  afterAll(() => world.close());

  test("a hundred are told everything, and one more than there is room for is told to come again", async () => {
    const readers = await Promise.all(Array.from({ length: 101 }, () => world.follow("?agent=echo")));
    await expect(world.follow()).rejects.toThrow("too many");
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await world.start("echo")).run_id));
    const told = await Promise.all(readers.map((reader) => reader.take<RunEvent>(20)));
    for (const events of told) expect(new Set(events.map(({ run_id }) => run_id))).toEqual(new Set(ids));
    for (const reader of readers) reader.close();
  });

  test("one that reads nothing is cut off, and the others are not kept waiting", async () => {
    const { hostname, port } = new URL(world.served.url);
    const slow = connect({ host: hostname, port: Number(port) });
    slow.pause();
    slow.on("error", () => {});
    slow.write(
      `GET /events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${world.admin.token}\r\n\r\n`,
    );
    const subscribers = async () => (await world.admin.get<string>("/metrics")).body;
    await expect.poll(subscribers).toContain("tenterhook_event_subscribers 1\n");
    const { run_id } = await world.start("echo");
    const runner = await world.runner();
    let run = await runner.claim();
    while (run.run_id !== run_id) run = await runner.claim();
    const quick = await world.follow();
    const heard = quick.take<RunEvent>(30);
    const text = "x".repeat(900_000);
    for (let first = 1; first <= 30; first++) {
      await runner.report(run, "events", { first, events: [{ event_type: "text", data: { text } }] });
    }
    expect((await heard).map(({ number }) => number)).toHaveLength(30);
    await expect.poll(subscribers).toContain("tenterhook_event_subscribers_dropped 1\n");
    slow.destroy();
    quick.close();
  });

  /** A run that is under way, and the way to add so many large events to it. */
  async function loudRun() {
    const { run_id } = await world.start("echo");
    const runner = await world.runner();
    let run = await runner.claim();
    while (run.run_id !== run_id) run = await runner.claim();
    let first = 1;
    return {
      run_id,
      async tell(count: number, characters: number) {
        const text = "x".repeat(characters);
        for (const end = first + count; first < end; first++) {
          const events = [{ event_type: "text", data: { text } }];
          await runner.report(run, "events", { first, events });
        }
      },
    };
  }

  /** Follows the events and never reads one. */
  function deaf(query: string, address = world.served.url): Socket {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause().on("error", () => {});
    const authorization = `Authorization: Bearer ${world.admin.token}`;
    socket.write(`GET /events${query} HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}\r\n\r\n`);
    return socket;
  }

  test("little is kept for those who read nothing, whatever they follow, and then they are disconnected", async () => {
    const count = 24;
    const dropped = () => world.admin.get<string>("/metrics").then(({ body }) => body);
    const droppedBefore = Number(/subscribers_dropped (\d+)/.exec(await dropped())?.[1]);
    const { tell } = await loudRun();
    const before = memoryBytes();
    // Each wants something else, so that they share nothing; half of them begin with what is stored.
    const sockets = Array.from({ length: count }, (_, place) =>
      deaf(`?types=text,${RUN_EVENT_TYPES[place]}${place % 2 === 0 ? "" : "&after=0-0"}`),
    );
    try {
      await expect.poll(dropped, { timeout: 10_000 }).toContain(`tenterhook_event_subscribers ${count}\n`);
      await tell(30, 900_000);
      expect(memoryBytes() - before).toBeLessThan(count * 4 * 1024 * 1024);
      await expect
        .poll(async () => Number(/subscribers_dropped (\d+)/.exec(await dropped())?.[1]), { timeout: 10_000 })
        .toBeGreaterThanOrEqual(droppedBefore + count / 2);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await expect.poll(dropped).toContain("tenterhook_event_subscribers 0\n");
  }, 60_000);

  test("one that reads slowly is told everything once, with its cursor when it was disconnected", async () => {
    const { run_id, tell } = await loudRun();
    const count = 60;
    const numbers: number[] = [];
    const read = async () => {
      let [{ id: place = "" } = {}] = await world.events(run_id);
      while (numbers.length < count + 2) {
        const reader = await world.follow(`?run_id=${run_id}`, { "last-event-id": place });
        for await (const { data } of reader.messages()) {
          numbers.push((JSON.parse(data) as RunEvent).number ?? 0);
          // A connection that carries less than is told.
          await pause(10);
          if (numbers.length === count + 1) break;
        }
        place = reader.lastId;
        reader.close();
        if (numbers.length === count + 1) break;
      }
    };
    const reading = read();
    await tell(count, 200_000);
    await reading;
    expect(numbers).toEqual(Array.from({ length: count + 1 }, (_, index) => index + 2));
  }, 60_000);

  test("one that stops reading what is stored is disconnected after a while", async () => {
    const streams = new EventStreams(world.served.coordinator.feed, 10, 200);
    const server = createServer((_request, response) => {
      void streams.follow(response, {}, { xid: "0", id: 0 }, () => () => {});
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const socket = deaf("", `http://127.0.0.1:${port}`);
    try {
      await expect.poll(() => streams.dropped).toBe(1);
      await expect.poll(() => streams.count).toBe(0);
    } finally {
      socket.destroy();
      streams.close();
      server.close();
    }
  });
});

/** What this process holds, after everything was collected that can be. */
function memoryBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
