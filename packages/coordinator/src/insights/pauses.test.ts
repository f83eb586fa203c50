import { expect, test } from "vitest";
import { Pauses } from "./pauses.ts";

test("work of less than eight milliseconds continues at once", () => {
  let now = 100;
  const pauses = new Pauses(() => now);
  expect(pauses.next()).toBe(undefined);
  now += 7.9;
  expect(pauses.next()).toBe(undefined);
});

test("after eight milliseconds other work is done first, and the time counts from the end of the pause", async () => {
  let now = 100;
  const pauses = new Pauses(() => now);
  now += 8;
  const done: string[] = [];
  setImmediate(() => {
    done.push("a request");
    // It took long, which is not the time of the work that is divided.
    now += 50;
  });
  await pauses.next();
  done.push("the work");
  expect(done).toEqual(["a request", "the work"]);
  now += 7;
  expect(pauses.next()).toBe(undefined);
  now += 1;
  expect(pauses.next()).toBeInstanceOf(Promise);
});
