import { getEventListeners } from "node:events";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  BoundedMap,
  isPlainObject,
  isRecord,
  isThenable,
  Latch,
  linkedController,
  Mutex,
  Notifier,
  onAbort,
  orAborted,
  pause,
  systemCode,
  whenReady,
} from "./index.ts";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

test("onAbort calls its listener once, at once for a signal that has fired, and never after its removal", () => {
  const controller = new AbortController();
  const calls: string[] = [];
  onAbort(controller.signal, () => calls.push("kept"));
  onAbort(controller.signal, () => calls.push("removed"))();
  expect(listeners(controller.signal)).toBe(1);
  controller.abort();
  onAbort(controller.signal, () => calls.push("late"));
  onAbort(undefined, () => calls.push("no signal"))();
  expect(calls).toEqual(["kept", "late"]);
});

test("any number of listeners of one signal are called in order, and are one listener for Node", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const calls: number[] = [];
  const removals = Array.from({ length: 50 }, (_, index) => onAbort(signal, () => calls.push(index)));
  expect(listeners(signal)).toBe(1);
  removals[7]?.();
  controller.abort();
  expect(calls).toEqual(Array.from({ length: 50 }, (_, index) => index).filter((index) => index !== 7));
  for (const remove of removals) remove();
  expect(listeners(signal)).toBe(0);
});

test("a linked controller aborts with the reason of its signal, and leaves no listener once released", () => {
  const outer = new AbortController();
  const linked = linkedController(outer.signal);
  const released = linkedController(outer.signal);
  released.release();
  expect(listeners(outer.signal)).toBe(1);
  outer.abort("reason");
  expect(linked.controller.signal.reason).toBe("reason");
  expect(released.controller.signal.aborted).toBe(false);
  expect(linkedController(outer.signal).controller.signal.aborted).toBe(true);
});

test("orAborted settles as its promise does, or rejects when the signal fires first", async () => {
  const { signal } = new AbortController();
  await expect(orAborted(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(orAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  expect(listeners(signal)).toBe(0);
  await expect(orAborted(new Promise(() => {}), AbortSignal.abort("reason"))).rejects.toBe("reason");
});

test("a pause ends with its time or its signal, does not reject, and leaves no listener", async () => {
  const controller = new AbortController();
  await pause(1, controller.signal);
  expect(listeners(controller.signal)).toBe(0);
  // Without a limit, a timer that is set for longer than it can take would fire at once.
  const long = pause(Number.MAX_SAFE_INTEGER, controller.signal);
  const first = await Promise.race([long.then(() => "long"), pause(20).then(() => "short")]);
  controller.abort();
  await long;
  await pause(60_000, controller.signal);
  expect(first).toBe("short");
});

test("a notifier wakes all waiters, and forgets those whose time is up", async () => {
  const notifier = new Notifier();
  const { signal } = new AbortController();
  const waiting = [notifier.next(signal), notifier.next(signal, 60_000)];
  await notifier.next(signal, 1);
  notifier.notify();
  await Promise.all(waiting);
  expect(listeners(signal)).toBe(0);
});

test("a latch that was set before the wait ends that wait and not the next one", async () => {
  const latch = new Latch();
  const controller = new AbortController();
  latch.set();
  await latch.wait(60_000, controller.signal);
  let isOver = false;
  const second = latch.wait(60_000, controller.signal).then(() => {
    isOver = true;
  });
  await pause(1);
  expect(isOver).toBe(false);
  latch.set();
  await second;
});

test("a mutex is given to one caller at a time, in order", async () => {
  const mutex = new Mutex();
  const order: number[] = [];
  const hold = async (number: number, ms: number) => {
    const release = await mutex.lock();
    order.push(number);
    await pause(ms);
    order.push(number);
    release();
  };
  await Promise.all([hold(1, 3), hold(2, 1), hold(3, 0)]);
  expect(order).toEqual([1, 1, 2, 2, 3, 3]);
});

test("a plain object is an object literal of any realm, and not an instance of a class", () => {
  const plain = [{}, Object.create(null), runInNewContext("({})")];
  const others = [[], null, undefined, 1, /a/, new Date(), new Map(), () => undefined, Promise.resolve()];
  expect(plain.filter((value) => !isPlainObject(value))).toEqual([]);
  expect(others.filter((value) => isPlainObject(value))).toEqual([]);
});

test("a record is an object that is no array, and a thenable is an object with a then method", () => {
  expect([{}, Object.create(null), [], null, "text", undefined].map(isRecord)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  class Deferred {
    // biome-ignore lint/suspicious/noThenProperty: this is what the promise of a library looks like.
    then(): void {}
  }
  const values: unknown[] = [Promise.resolve(), new Deferred(), {}, null, 1];
  expect(values.map((value) => isThenable(value))).toEqual([true, true, false, false, false]);
});

test("whenReady continues synchronously with a plain value, and awaits any thenable", async () => {
  const double = (value: number) => value * 2;
  expect(whenReady(2, double)).toBe(4);
  // biome-ignore lint/suspicious/noThenProperty: this is what the promise of a library looks like.
  const deferred = { then: (resolve: (value: number) => void) => resolve(3) } as PromiseLike<number>;
  await expect(whenReady(deferred, double)).resolves.toBe(6);
});

test("a bounded map replaces its oldest entry when a new one exceeds the limit, and none when a known one is set", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("b", 3);
  expect([...map]).toEqual([
    ["a", 1],
    ["b", 3],
  ]);
  map.set("c", 4);
  expect([...map.keys()]).toEqual(["b", "c"]);
});

test("the code of a system error is read, and of any other value there is none", () => {
  const error = Object.assign(new Error("no such file"), { code: "ENOENT" });
  expect([error, { code: 7 }, new Error("x"), "text", null].map(systemCode)).toEqual([
    "ENOENT",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
