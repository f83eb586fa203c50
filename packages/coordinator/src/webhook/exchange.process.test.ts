import { afterEach, describe, expect, test } from "vitest";
import {
  answers,
  keepsSilent,
  type Reaction,
  type Receiver,
  receiver,
  resets,
  writes,
} from "./testing/receiver.ts";
import { call } from "./testing/sample-call.ts";

let server: Receiver;
async function serve(...reactions: Reaction[]): Promise<string> {
  server = await receiver(...reactions);
  return server.origin;
}
afterEach(() => server?.close());

/** Writes until the connection is closed. */
function endlessly(head: string, piece: string): Reaction {
  return ({ socket }) => {
    socket?.on("error", () => undefined);
    socket?.write(head);
    const more = () => socket?.writable && socket.write(piece, more);
    more();
  };
}

const jsonOf = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;

const whole =
  (text: string): Reaction =>
  (response) =>
    response.setHeader("content-length", text.length).end(text);

const inChunks =
  (text: string): Reaction =>
  (response) => {
    for (let from = 0; from < text.length; from += 999) response.write(text.slice(from, from + 999));
    response.end();
  };

describe("the size of an answer", () => {
  test.each([
    ["with its length", whole],
    ["in chunks", inChunks],
  ])("may be just what is allowed, and not a byte more (%s)", async (_, reaction) => {
    const origin = await serve(reaction(jsonOf(100_000)), reaction(jsonOf(100_001)));
    expect(await call(origin, { maxResponseBytes: 100_000 })).toMatchObject({ value: "x".repeat(99_998) });
    expect(await call(origin, { maxResponseBytes: 100_000 })).toEqual({
      type: "failed",
      code: "response_too_large",
      reason: `${origin} answered with more than 100000 bytes.`,
      status: 200,
      attempts: 1,
    });
  });

  test("is bounded by a mebibyte, and no more is read", async () => {
    const head = "HTTP/1.1 200 OK\r\n\r\n";
    const origin = await serve(endlessly(head, " ".repeat(65_536)));
    expect(await call(origin)).toMatchObject({ code: "response_too_large", attempts: 1 });
    await server.hungUp();
  });

  test("is bounded for headers too, by 16 KiB", async () => {
    const headers = (bytes: number) => answers(200, "done", { "x-more": "x".repeat(bytes) });
    const origin = await serve(headers(15_000), headers(16_384));
    expect(await call(origin)).toMatchObject({ value: "done" });
    expect(await call(origin)).toMatchObject({ code: "response_too_large" });
  });

  test("is bounded for headers that never end", async () => {
    const origin = await serve(endlessly("HTTP/1.1 200 OK\r\n", `X-More: ${"x".repeat(1_000)}\r\n`));
    expect(await call(origin)).toEqual({
      type: "failed",
      code: "response_too_large",
      reason: `${origin} answered with more headers than the limit.`,
      status: undefined,
      attempts: 1,
    });
    await server.hungUp();
  });

  test("does not matter for a failure, which is not read", async () => {
    const origin = await serve(endlessly("HTTP/1.1 404 Not Found\r\n\r\n", "x".repeat(65_536)));
    expect(await call(origin)).toMatchObject({ code: "bad_status", status: 404 });
    await server.hungUp();
  });

  test("does not matter for what comes behind an empty answer", async () => {
    const origin = await serve(writes("HTTP/1.1 204 No Content\r\n\r\n", "x".repeat(65_536)));
    expect(await call(origin)).toMatchObject({ type: "answered", value: undefined });
    await server.hungUp();
  });
});

describe("the time for an answer", () => {
  /** A byte each time the last one has left: always busy, never done. */
  const drip: Reaction = ({ socket }) => {
    socket?.on("error", () => undefined);
    socket?.write('HTTP/1.1 200 OK\r\n\r\n"');
    const timer = setInterval(() => socket?.write("x"), 5);
    socket?.once("close", () => clearInterval(timer));
  };

  test.each([
    ["does not answer", keepsSilent],
    ["stops in its headers", writes("HTTP/1.1 200 OK\r\nX-More: ")],
    ["stops in its body", writes("HTTP/1.1 200 OK\r\n\r\n{")],
    ["drips", drip],
  ])("is up for a receiver that %s", async (_, reaction) => {
    const origin = await serve(reaction);
    expect(await call(origin, { deadlineMs: 150 })).toEqual({
      type: "failed",
      code: "timed_out",
      reason: `${origin} did not answer within 150 ms.`,
      status: undefined,
      attempts: 1,
    });
    await server.hungUp();
  });

  test("is for all attempts together", async () => {
    let [origin, deadlineMs] = [await serve(answers(503), keepsSilent), 1_000];
    let answer = await call(origin, { deadlineMs });
    // A machine under load may need more time for the first attempt.
    while (answer.attempts < 2 && deadlineMs < 60_000) {
      await server.close();
      [origin, deadlineMs] = [await serve(answers(503), keepsSilent), deadlineMs * 4];
      answer = await call(origin, { deadlineMs });
    }
    expect(answer).toMatchObject({
      code: "timed_out",
      attempts: 2,
      reason: `${origin} did not answer within ${deadlineMs} ms. It was tried 2 times. Before that: ${origin} answered with status 503.`,
    });
  });

  test("is up for a resolver that does not answer", async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const answer = await call("http://hooks.test/", { lookup, deadlineMs: 50 });
    expect(answer).toMatchObject({ code: "timed_out", attempts: 1 });
  });

  test.each([0, -1])("is up before anything is sent when there are %i ms left", async (deadlineMs) => {
    const origin = await serve(answers(204));
    expect(await call(origin, { deadlineMs })).toMatchObject({ code: "timed_out", attempts: 0 });
    expect(server.connections).toBe(0);
  });
});

describe("connections", () => {
  test("are closed when the call is over, whatever came of it, and never used twice", async () => {
    const stays = { connection: "keep-alive" };
    const origin = await serve(
      answers(503, undefined, stays),
      resets,
      answers(307, undefined, { ...stays, location: "/" }),
      answers(200, "done", stays),
    );
    expect(await call(origin)).toMatchObject({ value: "done", attempts: 3 });
    expect(server.connections).toBe(4);
    await server.hungUp();
  });

  test("go to another checked address when the first refuses connections", async () => {
    const { port } = new URL(await serve(answers(200, "done")));
    const lookup = async () => [
      { address: "127.0.0.2", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const answer = await call(`http://hooks.test:${port}/`, { lookup, allowPrivate: ["127.0.0.0/8"] });
    expect(answer).toMatchObject({ value: "done", attempts: 1 });
  });
});
