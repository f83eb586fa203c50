import { describe, expect, test } from "vitest";
import { BUCKET_COUNT, BUCKET_LIMITS_MS, estimateQuantile, findBucket } from "./duration-buckets.ts";

describe("the bucket of a duration", () => {
  test("is the first whose limit is not exceeded", () => {
    for (const [bucket, limit] of BUCKET_LIMITS_MS.entries()) {
      expect(findBucket(limit)).toBe(bucket);
      expect(findBucket(limit * 1.001)).toBe(bucket + 1);
    }
  });

  test.each([
    [0, 0],
    [-1, 0],
    [Number.POSITIVE_INFINITY, BUCKET_COUNT - 1],
    [Number.NaN, BUCKET_COUNT - 1],
  ])("exists for %d", (duration, bucket) => {
    expect(findBucket(duration)).toBe(bucket);
  });

  test("has limits that only grow", () => {
    expect([...BUCKET_LIMITS_MS]).toEqual(BUCKET_LIMITS_MS.toSorted((a, b) => a - b));
  });
});

describe("an estimated quantile", () => {
  const counted = (...durations: readonly number[]): readonly number[] => {
    const counts = new Array<number>(BUCKET_COUNT).fill(0);
    for (const duration of durations) counts[findBucket(duration)] = (counts[findBucket(duration)] ?? 0) + 1;
    return counts;
  };

  test("is within the bucket of the true one", () => {
    const durations = Array.from({ length: 1_000 }, (_, index) => index + 1);
    for (const share of [0.01, 0.5, 0.95, 1]) {
      const exact = durations[Math.ceil(share * 1_000) - 1] ?? 0;
      expect(findBucket(estimateQuantile(counted(...durations), share) ?? 0)).toBe(findBucket(exact));
    }
  });

  test("of the last bucket is its lower limit", () => {
    expect(estimateQuantile(counted(1e12), 0.5)).toBe(BUCKET_LIMITS_MS.at(-1));
  });

  test("does not exist when nothing was counted", () => {
    expect(estimateQuantile([], 0.5)).toBeUndefined();
    expect(estimateQuantile(counted(), 0.95)).toBeUndefined();
  });

  test("may be read from counts without their last zeros", () => {
    expect(estimateQuantile([2], 0.5)).toBe(0.05);
  });
});
