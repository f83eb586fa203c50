import { expect, onTestFinished, test } from "vitest";
import { Lease, patienceMs } from "./lease.ts";

test.each([
  [30_000, 24_000],
  [5_000, 3_500],
  [2_000, 1_000],
])("of a lease of %d ms, a run that cannot be confirmed goes on for %d ms", (leaseMs, patience) => {
  expect(patienceMs(leaseMs)).toBe(patience);
});

/** How long a lease held, with what was done to it meanwhile. */
async function heldMs(leaseMs: number, meanwhile: (lease: Lease) => void = () => {}): Promise<number> {
  const since = performance.now();
  await new Promise<void>((resolve) => {
    const lease = new Lease(leaseMs, resolve);
    onTestFinished(() => lease.end());
    meanwhile(lease);
  });
  return performance.now() - since;
}

test("a lease lapses before it ends", async () => {
  const held = await heldMs(2_000);
  expect(held).toBeGreaterThan(990);
  expect(held).toBeLessThan(2_000);
});

test("a renewal counts from when it was asked for, not from when it was answered", async () => {
  const held = await heldMs(2_000, (lease) => lease.renew(performance.now() - 600));
  expect(held).toBeGreaterThan(390);
  expect(held).toBeLessThan(1_400);
});

test("a lease that is over neither lapses nor comes back", async () => {
  const other = heldMs(200);
  const lease = new Lease(20, () => expect.unreachable("it was over"));
  lease.end();
  lease.renew(performance.now());
  await other;
});
