/** Runs an operation `times` times; async contenders await inside, so that their loop is measured too. */
export type Contender = (times: number) => unknown;

export interface MeasureOptions {
  readonly rounds?: number;
  readonly times: number;
}

/**
 * Runs contenders in turns, round after round, and keeps each one's best round: machines are noisy, but noise only
 * ever adds, and a disturbance soon affects the other contender too. Returns nanoseconds per operation.
 */
export async function measure<N extends string>(
  contenders: Record<N, Contender>,
  { rounds = 25, times }: MeasureOptions,
): Promise<Record<N, number>> {
  const names = Object.keys(contenders) as N[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<N, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const start = process.hrtime.bigint();
      await contenders[name](times);
      const elapsed = Number(process.hrtime.bigint() - start) / times;
      best[name] = Math.min(best[name], elapsed);
    }
  }
  return best;
}

/**
 * What `more` takes longer than `base`, in nanoseconds per operation: the median of the differences of neighbouring rounds, in changing
 * order. The best times of two large numbers differ by more than a small cost.
 */
export async function measureAdded(
  base: Contender,
  more: Contender,
  { rounds = 25, times }: MeasureOptions,
): Promise<number> {
  const timed = async (contender: Contender) => {
    const start = process.hrtime.bigint();
    await contender(times);
    return Number(process.hrtime.bigint() - start) / times;
  };
  const differences: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await timed(base);
      differences.push((await timed(more)) - first);
    } else {
      const first = await timed(more);
      differences.push(first - (await timed(base)));
    }
  }
  return median(differences);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** One line of the table: how our time relates to the peer's, and what it may be at most. */
export interface Row {
  readonly what: string;
  readonly against: string;
  readonly ours: number;
  readonly theirs: number;
  /** Default `time`, in nanoseconds. */
  readonly unit?: "time" | "bytes";
  /** `most`: ours / theirs may not exceed it. `least`: theirs / ours must reach it. Absent: reported only. */
  readonly bar?: { readonly most: number } | { readonly least: number };
}

/** Measurements that belong together; each case runs in its own process. */
export type Suite = Readonly<Record<string, () => Promise<readonly Row[]>>>;
