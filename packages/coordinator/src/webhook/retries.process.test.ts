import { afterEach, describe, expect, test } from "vitest";
import { answers, type Reaction, type Receiver, receiver, resets } from "./testing/receiver.ts";
import { call, SAMPLE_KEY } from "./testing/sample-call.ts";
import { verifyWebhook } from "./verify-webhook.ts";

const DONE = answers(200, { action: "continue" });

let server: Receiver;
async function serve(...reactions: Reaction[]): Promise<string> {
  server = await receiver(...reactions);
  return server.origin;
}
afterEach(() => server?.close());

/** Pauses that are written down instead of waited for, and a clock that believes in them. */
function recordedTime() {
  const pauses: number[] = [];
  let time = 1_900_000_000_000;
  return {
    pauses,
    now: () => time,
    pause: async (ms: number) => {
      pauses.push(ms);
      time += ms;
    },
  };
}

describe("an attempt is made again", () => {
  test.each([408, 425, 429, 500, 502, 503, 504, 599])("after status %i", async (status) => {
    const origin = await serve(answers(status), DONE);
    expect(await call(origin)).toEqual({
      type: "answered",
      value: { action: "continue" },
      status: 200,
      attempts: 2,
    });
  });

  test("after a connection that was reset", async () => {
    const origin = await serve(resets, DONE);
    expect(await call(origin)).toMatchObject({ type: "answered", attempts: 2 });
  });

  test("after an answer that was cut halfway", async () => {
    const cut: Reaction = (response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write('{"action"', () => response.destroy());
    };
    const origin = await serve(cut, DONE);
    expect(await call(origin)).toMatchObject({ type: "answered", attempts: 2 });
  });

  test("after a look-up that failed", async () => {
    const origin = await serve(DONE);
    let asked = 0;
    const lookup = async () => {
      if (asked++ === 0) throw Object.assign(new Error("not now"), { code: "EAI_AGAIN" });
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const answer = await call(`http://hooks.test:${new URL(origin).port}`, { lookup });
    expect(answer).toMatchObject({ type: "answered", attempts: 2 });
  });

  test("with the same body and the same idempotency key, and signed anew", async () => {
    const { now, pause } = recordedTime();
    const origin = await serve(answers(500), resets, answers(429), DONE);
    await call(origin, { now, pause });
    const seen = server.received.map(({ headers, rawBody }) => ({
      key: headers["idempotency-key"],
      time: Number(headers["tenterhook-timestamp"]) - 1_900_000_000,
      body: String(rawBody),
      genuine: verifyWebhook(headers, rawBody, SAMPLE_KEY, { now }),
    }));
    const [first] = seen;
    expect(seen).toEqual([0, 0, 1, 3].map((time) => ({ ...first, time, key: "hook-1", genuine: true })));
  });
});

describe("an attempt is not made again", () => {
  test.each([400, 401, 403, 404, 409, 410, 413, 422])("after status %i", async (status) => {
    const origin = await serve(answers(status), DONE);
    expect(await call(origin)).toEqual({
      type: "failed",
      code: "bad_status",
      reason: `${origin} answered with status ${status}.`,
      status,
      attempts: 1,
    });
    expect(server.received).toHaveLength(1);
  });
});

describe("pauses", () => {
  test("grow, and there are as many attempts as there may be", async () => {
    const { pauses, ...time } = recordedTime();
    const origin = await serve(answers(503));
    expect(await call(origin, time)).toEqual({
      type: "failed",
      code: "bad_status",
      reason: `${origin} answered with status 503. It was tried 5 times.`,
      status: 503,
      attempts: 5,
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000]);
  });

  test("are as long as the receiver asks for", async () => {
    const { pauses, ...time } = recordedTime();
    const date = new Date(time.now() + 9_000).toUTCString();
    const origin = await serve(
      answers(429, undefined, { "retry-after": "3" }),
      answers(503, undefined, { "retry-after": date }),
      answers(503, undefined, { "retry-after": "0" }),
      DONE,
    );
    expect(await call(origin, { ...time, deadlineMs: 20_000 })).toMatchObject({ attempts: 4 });
    expect(pauses).toEqual([3_000, 6_000, 2_000]);
  });

  test.each([
    ["9", 2],
    ["10", 1],
  ])("of %s seconds leave ten with %i attempts", async (seconds, attempts) => {
    const { pauses: _, ...time } = recordedTime();
    const origin = await serve(answers(503, undefined, { "retry-after": seconds }), DONE);
    expect(await call(origin, { ...time, deadlineMs: 10_000 })).toMatchObject({ attempts });
  });

  test("are not begun when they would outlast the deadline", async () => {
    const { pauses, ...time } = recordedTime();
    const origin = await serve(answers(503), answers(429, undefined, { "retry-after": "3600" }));
    expect(await call(origin, time)).toMatchObject({
      code: "bad_status",
      status: 429,
      attempts: 2,
      reason: `${origin} answered with status 429. It was tried 2 times. Before that: ${origin} answered with status 503.`,
    });
    expect(pauses).toEqual([500]);
  });
});

describe("what never worked", () => {
  test("has a message for people: connection refused", async () => {
    const origin = await serve(DONE);
    await server.close();
    expect(await call(origin)).toMatchObject({
      code: "connection_failed",
      reason: `${origin} could not be called: connection refused (ECONNREFUSED). It was tried 5 times.`,
      status: undefined,
      attempts: 5,
    });
    server = await receiver(DONE);
  });

  test.each([
    ["there is no such host", () => Promise.reject(new Error("ENOTFOUND s3cret"))],
    ["it has no address", () => Promise.resolve([])],
  ])("has a message for people: %s", async (_, lookup) => {
    const answer = await call("http://hooks.test/", { lookup, maxAttempts: 2 });
    expect(answer).toMatchObject({
      code: "lookup_failed",
      reason: "No address was found for the host hooks.test. It was tried 2 times.",
    });
  });
});
