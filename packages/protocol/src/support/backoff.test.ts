import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";

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
