import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";
import { Refusal } from "./refusal.ts";
import { untilAnswered } from "./until-answered.ts";

const hasty = () => new Backoff({ firstMs: 1, mostMs: 1 });
const never = new AbortController().signal;

/** Fails as told, then answers. */
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
  const ask = failing(new TypeError("fetch failed"), new Refusal(503, "unavailable", "away"));
  expect(await untilAnswered(ask, never, hasty())).toBe("answer");
  expect(ask.calls).toBe(3);
});

test("a refusal is final", async () => {
  const ask = failing(new Refusal(409, "lease_lost", "lost"));
  await expect(untilAnswered(ask, never, hasty())).rejects.toMatchObject({ code: "lease_lost" });
  expect(ask.calls).toBe(1);
});

test("a coordinator that breaks over the same question again and again is not asked for ever", async () => {
  const broken = new Refusal(500, "internal", "broken");
  expect(await untilAnswered(failing(broken, broken, broken, broken), never, hasty())).toBe("answer");
  const ask = failing(...Array.from({ length: 10 }, () => broken));
  await expect(untilAnswered(ask, never, hasty())).rejects.toBe(broken);
  expect(ask.calls).toBe(5);
});

test("nobody is asked any more when the signal says so", async () => {
  const controller = new AbortController();
  const ask = async () => {
    controller.abort(new Error("enough"));
    throw new Error("away");
  };
  await expect(untilAnswered(ask, controller.signal, hasty())).rejects.toThrow("enough");
});
