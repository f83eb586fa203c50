import { expect, test } from "vitest";
import { Batcher } from "./batcher.ts";
import { SqlError } from "./sql-error.ts";

test("a single item is a batch of its own; items that are added while it runs share the next batch", async () => {
  const batches: (readonly number[])[] = [];
  const doubled = new Batcher(async (numbers: readonly number[]) => {
    batches.push(numbers);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return numbers.map((number) => number * 2);
  });
  const first = doubled.add(1);
  await new Promise((resolve) => setImmediate(resolve));
  const others = [2, 3, 4].map((number) => doubled.add(number));
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test("a batch holds only items with the same key, and no more than allowed", async () => {
  const batches: (readonly string[])[] = [];
  const batcher = new Batcher(
    async (words: readonly string[]) => {
      batches.push(words);
      return words;
    },
    { keyOf: (word) => word.charAt(0), most: 2 },
  );
  await Promise.all(["a1", "b1", "a2", "a3"].map((word) => batcher.add(word)));
  expect(batches).toEqual([["a1", "a2"], ["b1"], ["a3"]]);
});

test("as many batches run at a time as are allowed, and later items share the next one", async () => {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher(
    async (numbers: readonly number[]) => {
      batches.push(numbers);
      await new Promise<void>((resolve) => ends.push(resolve));
      return numbers;
    },
    { atOnce: 2, most: 2 },
  );
  const outcomes = [1, 2, 3, 4, 5, 6].map((number) => batcher.add(number));
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
  ends[1]?.();
  await Promise.all(outcomes.slice(2, 4));
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches.slice(2)).toEqual([[5, 6]]);
  for (const end of ends) end();
  expect(await Promise.all(outcomes)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("an item that the database refuses does not fail the others of its batch", async () => {
  const batcher = new Batcher(async (numbers: readonly number[]) => {
    if (numbers.includes(2)) throw new SqlError({ code: "22P05" });
    return numbers;
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => batcher.add(number)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("the items of a batch that ran into a time limit are tried again together, each on its own", async () => {
  const ends: (() => void)[] = [];
  const batcher = new Batcher(async (numbers: readonly number[]) => {
    if (numbers.length > 1) throw new SqlError({ code: "55P03" });
    await new Promise<void>((resolve) => ends.push(resolve));
    return numbers;
  });
  const outcomes = [1, 2, 3].map((number) => batcher.add(number));
  // None of them ends before all of them have begun.
  await expect.poll(() => ends.length).toBe(3);
  for (const end of ends) end();
  expect(await Promise.all(outcomes)).toEqual([1, 2, 3]);
});

test("a batch whose outcome is unknown is not tried again", async () => {
  let calls = 0;
  const batcher = new Batcher(async (_: readonly number[]) => {
    calls += 1;
    throw new Error("the connection is gone");
  });
  const outcomes = await Promise.allSettled([1, 2].map((number) => batcher.add(number)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toBe(1);
});

test("a batch that hangs does not delay the next one for long", async () => {
  const batcher = new Batcher((numbers: readonly number[]) =>
    numbers.includes(1) ? new Promise<never>(() => {}) : Promise.resolve(numbers),
  );
  void batcher.add(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await batcher.add(2)).toBe(2);
});
