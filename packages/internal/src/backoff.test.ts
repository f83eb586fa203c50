import { expect, test } from "vitest";
import { Backoff, retryAfterMs } from "./backoff.ts";

test("the pause doubles up to its limit, and starts again after a reset", () => {
  const backoff = new Backoff({ firstMs: 100, mostMs: 1_000, random: () => 0 });
  const pauses = Array.from({ length: 6 }, () => backoff.nextMs());
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  backoff.reset();
  expect(backoff.nextMs()).toBe(100);
});

test("jitter takes up to half of the pause and never more", () => {
  const least = new Backoff({ firstMs: 100, random: () => 0.999 });
  expect(least.nextMs()).toBeGreaterThan(50);
  expect(least.nextMs()).toBeLessThan(101);
});

test("the pause stays at its limit however many attempts fail", () => {
  const backoff = new Backoff({ mostMs: 5_000, random: () => 0 });
  for (let i = 0; i < 5_000; i++) backoff.nextMs();
  expect(backoff.nextMs()).toBe(5_000);
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
  ["1.5", 1_500],
  ["soon", 0],
])("Retry-After: %s asks for %i ms", (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});
