import { expect, test } from "vitest";
import { Mutex } from "./mutex.ts";

test("gives the lock to its callers in the order in which they asked", async () => {
  const mutex = new Mutex();
  const order: number[] = [];
  const work = async (id: number) => {
    const unlock = await mutex.lock();
    order.push(id);
    await Promise.resolve();
    order.push(id);
    unlock();
  };
  await Promise.all([work(1), work(2), work(3)]);
  expect(order).toEqual([1, 1, 2, 2, 3, 3]);
});

test("is locked at once only while it is free", async () => {
  const mutex = new Mutex();
  const unlock = mutex.tryLock();
  expect(unlock).toBeTypeOf("function");
  expect(mutex.tryLock()).toBeUndefined();
  const waiting = mutex.lock();
  unlock?.();
  expect(mutex.tryLock()).toBeUndefined();
  (await waiting)();
  expect(mutex.tryLock()).toBeTypeOf("function");
});

test("does not take the lock from the next caller when it is released twice", async () => {
  const mutex = new Mutex();
  const first = await mutex.lock();
  const second = mutex.lock();
  first();
  first();
  expect(mutex.tryLock()).toBeUndefined();
  (await second)();
  expect(mutex.tryLock()).toBeTypeOf("function");
});
