import fc from "fast-check";
import { expect, test } from "vitest";
import { askedPauseMs, pauseAfter } from "./backoff.ts";

test("pauses double, up to half a minute", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempt) => pauseAfter(attempt, 0, () => 0));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("chance shortens a pause by half at most, and never below what was asked for", () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(120_000), chance, (attempt, askedMs, random) => {
      const longest = pauseAfter(attempt, 0, () => 0);
      const pause = pauseAfter(attempt, askedMs, () => random);
      expect(pause).toBeGreaterThanOrEqual(Math.max(askedMs, longest / 2));
      expect(pause).toBeLessThanOrEqual(Math.max(askedMs, longest));
    }),
  );
});

const NOW = Date.parse("2030-01-01T00:00:00Z");

test.each([
  [undefined, 0],
  ["3", 3_000],
  ["0", 0],
  ["Tue, 01 Jan 2030 00:00:07 GMT", 7_000],
  ["Mon, 31 Dec 2029 23:59:59 GMT", 0],
  ["", 0],
  ["-5", 0],
  ["soon", 0],
])("Retry-After: %s asks for %i ms", (header, ms) => {
  expect(askedPauseMs(header, NOW)).toBe(ms);
});
