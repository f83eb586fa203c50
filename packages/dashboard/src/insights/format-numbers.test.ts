import { describe, expect, test } from "vitest";
import { formatChange, formatCompact, formatCost, formatShare } from "./format-numbers.ts";

describe("formatCompact", () => {
  test.each([
    [0, "0"],
    [9_999, "9,999"],
    [12_345, "12.3K"],
    [1_234_567, "1.23M"],
  ])("writes %d as %s", (value, text) => expect(formatCompact(value)).toBe(text));
});

describe("formatCost", () => {
  test.each([
    [0, "EUR", "€0.00"],
    [0.00421, "EUR", "€0.0042"],
    [1234.5, "USD", "$1,234.50"],
    [3, "credits", "3.00 credits"],
  ])("writes %d %s as %s", (value, currency, text) => expect(formatCost(value, currency)).toBe(text));
});

describe("formatChange", () => {
  test.each([
    [5, 5, "the same"],
    [15, 10, "+50 %"],
    [5, 10, "−50 %"],
    [0, 10, "−100 %"],
    [1_001, 1_000, "about the same"],
    [100, 10, "10 times as much"],
  ])("compares %d with %d before: %s", (value, before, text) =>
    expect(formatChange(value, before)).toBe(text),
  );
});

describe("formatShare", () => {
  test.each([
    [0, 0, "0 %"],
    [1, 1_000, "under 1 %"],
    [999, 1_000, "over 99 %"],
    [1, 4, "25 %"],
    [4, 4, "100 %"],
  ])("writes %d of %d as %s", (part, whole, text) => expect(formatShare(part, whole)).toBe(text));
});
