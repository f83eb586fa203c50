import { expect, test } from "vitest";
import { Gathering } from "./gathering.ts";
import { SqlError } from "./sql-error.ts";

test("whoever comes alone is carried out alone; what comes meanwhile goes together", async () => {
  const batches: (readonly number[])[] = [];
  const doubled = new Gathering(async (numbers: readonly number[]) => {
    batches.push(numbers);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return numbers.map((number) => number * 2);
  });
  const first = doubled.ask(1);
  await new Promise((resolve) => setImmediate(resolve));
  const others = [2, 3, 4].map((number) => doubled.ask(number));
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test("only what has the same key goes together, and no more than allowed", async () => {
  const batches: (readonly string[])[] = [];
  const gathering = new Gathering(
    async (words: readonly string[]) => {
      batches.push(words);
      return words;
    },
    { keyOf: (word) => word.charAt(0), most: 2 },
  );
  await Promise.all(["a1", "b1", "a2", "a3"].map((word) => gathering.ask(word)));
  expect(batches).toEqual([["a1", "a2"], ["b1"], ["a3"]]);
});

test("as many statements are under way as are allowed, and what comes meanwhile goes with the next", async () => {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const gathering = new Gathering(
    async (numbers: readonly number[]) => {
      batches.push(numbers);
      await new Promise<void>((resolve) => ends.push(resolve));
      return numbers;
    },
    { atOnce: 2, most: 2 },
  );
  const outcomes = [1, 2, 3, 4, 5, 6].map((number) => gathering.ask(number));
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

test("one that the database refuses does not spoil it for the others", async () => {
  const gathering = new Gathering(async (numbers: readonly number[]) => {
    if (numbers.includes(2)) throw new SqlError({ code: "22P05" });
    return numbers;
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => gathering.ask(number)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("when nobody knows whether it was carried out, it is not tried again", async () => {
  let calls = 0;
  const gathering = new Gathering(async (_: readonly number[]) => {
    calls += 1;
    throw new Error("the connection is gone");
  });
  const outcomes = await Promise.allSettled([1, 2].map((number) => gathering.ask(number)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toBe(1);
});

test("a call that hangs does not hold up the next for long", async () => {
  const gathering = new Gathering((numbers: readonly number[]) =>
    numbers.includes(1) ? new Promise<never>(() => {}) : Promise.resolve(numbers),
  );
  void gathering.ask(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await gathering.ask(2)).toBe(2);
});
