import { expect, onTestFinished, test, vi } from "vitest";
import { Lease, patienceMs } from "./lease.ts";

test.each([
  [30_000, 24_000],
  [5_000, 3_500],
  [2_000, 1_000],
])("of a lease of %d ms, a run that cannot be confirmed continues for %d ms", (leaseMs, continuesMs) => {
  expect(patienceMs(leaseMs)).toBe(continuesMs);
});

/** How long a lease lasts, with what is done to it meanwhile, by a clock that no busy machine slows down. */
function heldMs(leaseMs: number, meanwhile: (lease: Lease) => void = () => {}): number {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const since = performance.now();
  let until: number | undefined;
  const lease = new Lease(leaseMs, () => {
    until = performance.now();
  });
  meanwhile(lease);
  vi.advanceTimersByTime(leaseMs);
  return (until ?? Number.NaN) - since;
}

test("a lease lapses before it ends", () => {
  expect(heldMs(2_000)).toBe(1_000);
});

test("a renewal counts from when it was asked for, not from when it was answered", () => {
  expect(heldMs(2_000, (lease) => lease.renew(performance.now() - 600))).toBe(400);
});

test("a lease that is over neither lapses nor comes back", () => {
  const held = heldMs(2_000, (lease) => {
    lease.end();
    lease.renew(performance.now());
  });
  expect(held).toBeNaN();
});
