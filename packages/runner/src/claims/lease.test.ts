import { expect, test, vi } from "vitest";
import { Lease, patienceMs } from "./lease.ts";

test.each([
  [30_000, 24_000],
  [5_000, 3_500],
  [2_000, 1_000],
])("of a lease of %d ms, a run that cannot be confirmed goes on for %d ms", (leaseMs, patience) => {
  expect(patienceMs(leaseMs)).toBe(patience);
});

test("a lease lapses before it ends, unless it is renewed or over", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const lapsed = vi.fn();
    const lease = new Lease(30_000, lapsed);
    vi.advanceTimersByTime(20_000);
    lease.renew(performance.now());
    vi.advanceTimersByTime(23_999);
    expect(lapsed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(lapsed).toHaveBeenCalledOnce();
    const over = new Lease(30_000, lapsed);
    over.end();
    over.renew(performance.now());
    vi.advanceTimersByTime(60_000);
    expect(lapsed).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test("a renewal counts from when it was asked for, not from when it was answered", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const lapsed = vi.fn();
    const lease = new Lease(30_000, lapsed);
    const askedAt = performance.now();
    vi.advanceTimersByTime(10_000);
    lease.renew(askedAt);
    vi.advanceTimersByTime(14_000);
    expect(lapsed).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
