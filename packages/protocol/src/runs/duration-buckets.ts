/**
 * The upper limits of the buckets in which durations are counted, in milliseconds; longer ones fall into a last bucket. Stored
 * counts refer to these limits by position: a change of them is a change of stored data.
 */
export const BUCKET_LIMITS_MS: readonly number[] = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000,
  900_000, 3_600_000, 21_600_000, 86_400_000,
];

/** How many buckets there are. */
export const BUCKET_COUNT = BUCKET_LIMITS_MS.length + 1;

/** The bucket of a duration: the first whose limit is not exceeded. */
export function findBucket(durationMs: number): number {
  let bucket = 0;
  for (const limit of BUCKET_LIMITS_MS) {
    if (durationMs <= limit) return bucket;
    bucket++;
  }
  return bucket;
}

/**
 * Estimates the duration that this share of the counted ones does not exceed, as if those of a bucket were spread evenly over it. Of the
 * last bucket only the lower limit is known. Undefined when nothing was counted.
 */
export function estimateQuantile(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = total * share;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    const lower = BUCKET_LIMITS_MS[bucket - 1] ?? 0;
    const upper = BUCKET_LIMITS_MS[bucket] ?? lower;
    if (count > 0 && below + count >= rank) return lower + ((upper - lower) * (rank - below)) / count;
    below += count;
  }
  return undefined;
}
