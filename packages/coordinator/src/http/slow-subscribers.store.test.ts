import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type BlueprintInput, RUN_EVENT_TYPES, type RunEvent } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { EventStreams } from "./event-streams.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe("many and slow subscribers", () => {
  let coordinator: TestCoordinator;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open({ url: await freshPostgres(), maxSubscribers: 101 });
    await coordinator.save(echo);
  });
  afterAll(() => coordinator.close());

  test("a hundred get every event, and one above the limit gets Retry-After", async () => {
    const readers = await Promise.all(Array.from({ length: 101 }, () => coordinator.follow("?agent=echo")));
    await expect(coordinator.follow()).rejects.toThrow("too many");
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await coordinator.start("echo")).run_id),
    );
    const received = await Promise.all(readers.map((reader) => reader.take<RunEvent>(20)));
    for (const events of received) expect(new Set(events.map(({ run_id }) => run_id))).toEqual(new Set(ids));
    for (const reader of readers) reader.close();
  });

  test("one that reads nothing is cut off, and the others are not kept waiting", async () => {
    const slow = silentSubscriber("");
    const subscribers = async () => (await coordinator.admin.get<string>("/metrics")).body;
    await expect.poll(subscribers).toContain("tenterhook_event_subscribers 1\n");
    const { emit } = await runWithLargeEvents();
    const quick = await coordinator.follow();
    const received = quick.take<RunEvent>(30);
    await emit(30, 900_000);
    expect((await received).map(({ number }) => number)).toHaveLength(30);
    await expect.poll(subscribers).toContain("tenterhook_event_subscribers_dropped 1\n");
    slow.destroy();
    quick.close();
  });

  /** An active run, and a function that adds so many large events to it. */
  async function runWithLargeEvents() {
    const { run_id } = await coordinator.start("echo");
    const runner = await coordinator.runner();
    let run = await runner.claim();
    while (run.run_id !== run_id) run = await runner.claim();
    let first = 1;
    return {
      run_id,
      async emit(count: number, characters: number) {
        const text = "x".repeat(characters);
        for (const end = first + count; first < end; first++) {
          const events = [{ event_type: "text", data: { text } }];
          await runner.report(run, "events", { first, events });
        }
      },
    };
  }

  /** Follows the events and never reads one. */
  function silentSubscriber(query: string, address = coordinator.served.url): Socket {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause().on("error", () => {});
    const authorization = `Authorization: Bearer ${coordinator.admin.token}`;
    socket.write(`GET /events${query} HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}\r\n\r\n`);
    return socket;
  }

  test("little is buffered for subscribers that read nothing, whatever they follow, and then they are disconnected", async () => {
    const count = 24;
    const dropped = () => coordinator.admin.get<string>("/metrics").then(({ body }) => body);
    const droppedBefore = Number(/subscribers_dropped (\d+)/.exec(await dropped())?.[1]);
    const { emit } = await runWithLargeEvents();
    const before = memoryBytes();
    // Each has another filter, so that they share nothing; half of them begin with stored events.
    const sockets = Array.from({ length: count }, (_, index) =>
      silentSubscriber(`?types=text,${RUN_EVENT_TYPES[index]}${index % 2 === 0 ? "" : "&after=0-0"}`),
    );
    try {
      await expect.poll(dropped).toContain(`tenterhook_event_subscribers ${count}\n`);
      await emit(30, 900_000);
      // A measurement frees the buffers of ended requests only for the next one.
      await expect.poll(() => memoryBytes() - before).toBeLessThan(count * 2 * 1024 * 1024);
      await expect
        .poll(async () => Number(/subscribers_dropped (\d+)/.exec(await dropped())?.[1]))
        .toBeGreaterThanOrEqual(droppedBefore + count / 2);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await expect.poll(dropped).toContain("tenterhook_event_subscribers 0\n");
  });

  test("one that reads slowly gets every event once, with its cursor when it was disconnected", async () => {
    const { run_id, emit } = await runWithLargeEvents();
    const count = 60;
    const numbers: number[] = [];
    const read = async () => {
      let [{ id: cursor = "" } = {}] = await coordinator.events(run_id);
      while (numbers.length < count + 2) {
        const reader = await coordinator.follow(`?run_id=${run_id}`, { "last-event-id": cursor });
        for await (const { data } of reader.messages()) {
          numbers.push((JSON.parse(data) as RunEvent).number ?? 0);
          // A connection that is slower than the events.
          await pause(10);
          if (numbers.length === count + 1) break;
        }
        cursor = reader.lastId;
        reader.close();
        if (numbers.length === count + 1) break;
      }
    };
    const reading = read();
    await emit(count, 200_000);
    await reading;
    expect(numbers).toEqual(Array.from({ length: count + 1 }, (_, index) => index + 2));
  });

  test("one that stops reading what is stored is disconnected after a while", async () => {
    const streams = new EventStreams(coordinator.served.coordinator.feed, 10, 200);
    const server = createServer((_request, response) => {
      void streams.follow(response, {}, { xid: "0", id: 0 }, () => () => {});
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const socket = silentSubscriber("", `http://127.0.0.1:${port}`);
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
