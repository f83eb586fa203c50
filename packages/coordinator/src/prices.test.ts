import { costOf } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { readPrices } from "./prices.ts";

test("prices that are not configured are none", () => {
  expect(readPrices(undefined)).toEqual({ currency: "USD", models: {} });
});

test.each([
  [{ models: { "small-1": { input: -1, output: 2 } } }, /^prices\.models\.small-1\.input: /],
  [{ models: { "small-1": { input: 1 } } }, /^prices\.models\.small-1\.output: /],
  [{ models: { "small-1": { input: 1, output: "2" } } }, /^prices\.models\.small-1\.output: /],
  [
    { models: { "small-1": { input: 1, output: 2, cached: 1 } } },
    /^prices\.models\.small-1\.cached: is not a key/,
  ],
  [{ model: {}, models: {} }, /^prices\.model: is not a key/],
  [{ currency: "dollars", models: {} }, /^prices\.currency: must be three capital letters/],
  ["free", /^prices: /],
])("prices such as %j are refused with the key that is wrong", (configured, message) => {
  expect(() => readPrices(configured)).toThrow(message);
});

test("calls cost what their tokens cost, and are unknown when a price is missing", () => {
  const prices = readPrices({ models: { "small-1": { input: 2, output: 10 } } });
  const call = { model: "small-1", input_tokens: 1_000, output_tokens: 500 };
  expect(costOf([call, call], prices)).toBeCloseTo(0.014);
  expect(costOf([call, { ...call, model: "large-1" }], prices)).toBeUndefined();
  expect(costOf([{ ...call, model: "constructor" }], prices)).toBeUndefined();
  expect(costOf([], prices)).toBeUndefined();
});
