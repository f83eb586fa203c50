import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.ts";

test("works on every item once, in order, and on two of them at once", async () => {
  const begun: number[] = [];
  let [atOnce, most] = [0, 0];
  await inParallel([1, 2, 3, 4, 5], async (item) => {
    begun.push(item);
    most = Math.max(most, ++atOnce);
    await Promise.resolve();
    atOnce--;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("begins nothing after an error, and rejects with it when the other item has ended", async () => {
  const ended: number[] = [];
  let finish = () => {};
  const other = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const working = inParallel([1, 2, 3, 4], async (item) => {
    if (item === 1) throw new Error("the first failed");
    await other;
    ended.push(item);
  });
  finish();
  await expect(working).rejects.toThrow("the first failed");
  expect(ended).toEqual([2]);
});
