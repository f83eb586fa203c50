import { RequestError } from "@tenterhook/client";
import { Backoff } from "@tenterhook/internal";
import { expect, test } from "vitest";
import { untilAnswered } from "./until-answered.ts";

const hasty = () => ({ backoff: new Backoff({ firstMs: 1, mostMs: 1 }) });
const broken = () => new RequestError("coordinator_unreachable", "connection reset");
const refused = (status: number, code: string, detail: string) =>
  new RequestError(code, detail, {
    status,
    problem: { type: "about:blank", title: detail, status, code, detail },
  });
const never = new AbortController().signal;

/** Fails as given, then answers. */
function failing(...failures: readonly Error[]) {
  const left = [...failures];
  const ask = async () => {
    ask.calls++;
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "answer";
  };
  ask.calls = 0;
  return ask;
}

test("a broken connection and a coordinator that is away are asked again", async () => {
  const ask = failing(broken(), refused(503, "unavailable", "away"));
  expect(await untilAnswered(ask, never, hasty())).toBe("answer");
  expect(ask.calls).toBe(3);
});

test("a refusal is final", async () => {
  const ask = failing(refused(409, "lease_lost", "lost"));
  await expect(untilAnswered(ask, never, hasty())).rejects.toMatchObject({ code: "lease_lost" });
  expect(ask.calls).toBe(1);
});

test("a request that makes the coordinator fail again and again is given up", async () => {
  const refusal = refused(500, "internal", "broken");
  expect(await untilAnswered(failing(refusal, refusal, refusal, refusal), never, hasty())).toBe("answer");
  const ask = failing(...Array.from({ length: 10 }, () => refusal));
  await expect(untilAnswered(ask, never, hasty())).rejects.toBe(refusal);
  expect(ask.calls).toBe(5);
});

test("a request that must not be lost is given up only if others are accepted for a minute", async () => {
  const refusal = refused(500, "internal", "broken");
  const long = () => failing(...Array.from({ length: 200 }, () => refusal));
  let time = 0;
  const now = () => (time += 1_000);
  const none = long();
  expect(await untilAnswered(none, never, { ...hasty(), now, accepted: () => 0 })).toBe("answer");
  expect(none.calls).toBe(201);
  let accepted = 0;
  const alone = long();
  const persistence = { ...hasty(), now, accepted: () => accepted++ };
  await expect(untilAnswered(alone, never, persistence)).rejects.toBe(refusal);
  expect(alone.calls).toBeGreaterThanOrEqual(60);
});

test("a stop order does not make a runner repeat in haste what a coordinator refuses for the moment", async () => {
  const hurry = AbortSignal.abort();
  const pauses: number[] = [];
  class Counted extends Backoff {
    override nextMs(): number {
      pauses.push(performance.now());
      return 20;
    }
  }
  const refusal = refused(503, "no_writes", "no writes");
  const started = performance.now();
  expect(await untilAnswered(failing(refusal, refusal), never, { backoff: new Counted(), hurry })).toBe(
    "answer",
  );
  expect(pauses).toHaveLength(2);
  expect(performance.now() - started).toBeGreaterThan(30);
});

test("a request to a coordinator whose disk is full is repeated until there is room", async () => {
  const full = refused(507, "no_room", "the disk is full");
  const ask = failing(...Array.from({ length: 20 }, () => full));
  expect(await untilAnswered(ask, never, hasty())).toBe("answer");
});

test("no request is repeated after the signal", async () => {
  const controller = new AbortController();
  const ask = async () => {
    controller.abort(new Error("enough"));
    throw broken();
  };
  await expect(untilAnswered(ask, controller.signal, hasty())).rejects.toThrow("enough");
});

test.each([new RangeError("Maximum call stack size exceeded"), new TypeError("not JSON")])(
  "%s does not count as an unreachable coordinator, and is not retried",
  async (defect) => {
    const ask = failing(defect);
    await expect(untilAnswered(ask, never, hasty())).rejects.toBe(defect);
    expect(ask.calls).toBe(1);
  },
);

test("a request that alone is lost, while others are answered, is given up", async () => {
  const lost = () => failing(...Array.from({ length: 100 }, broken));
  let answers = 0;
  const alone = lost();
  await expect(untilAnswered(alone, never, { ...hasty(), answers: () => answers++ })).rejects.toThrow(
    "reset",
  );
  expect(alone.calls).toBe(12);
  const all = lost();
  expect(await untilAnswered(all, never, { ...hasty(), answers: () => 0 })).toBe("answer");
  expect(all.calls).toBe(101);
});

test("an urgent request is repeated once without a pause, and then given up", async () => {
  const hurry = new AbortController();
  let calls = 0;
  const ask = async () => {
    calls++;
    if (calls === 1) setImmediate(() => hurry.abort());
    throw broken();
  };
  const backoff = new Backoff({ firstMs: 60_000, mostMs: 60_000 });
  await expect(untilAnswered(ask, never, { backoff, hurry: hurry.signal })).rejects.toThrow("reset");
  expect(calls).toBe(2);
});
