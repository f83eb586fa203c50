const MINUTE_MS = 60_000;

/** The lengths of slots, in minutes. Slots begin at multiples of them in UTC. */
export const STEPS = [5, 15, 60, 1_440] as const;
export type Step = (typeof STEPS)[number];

/** For how long slots of five minutes are kept. */
export const SHORT_SLOT_DAYS = 2;

export function stepMs(step: Step): number {
  return step * MINUTE_MS;
}

/** The beginning of the slot that a time is in. */
export function slotStart(timeMs: number, step: Step): number {
  return Math.floor(timeMs / stepMs(step)) * stepMs(step);
}

/** Slots of one length, from a time up to another. */
export interface SlotRange {
  readonly step: Step;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The fewest slots that make up a period: days in its middle, shorter ones at its ends, and none that is longer than `coarsest`. Both ends
 * are multiples of `finest`.
 */
export function coverPeriod(
  fromMs: number,
  toMs: number,
  finest: Step,
  coarsest: Step = 1_440,
): readonly SlotRange[] {
  const [coarser] = STEPS.filter((step) => step > finest && step <= coarsest);
  if (coarser === undefined || fromMs >= toMs) return nonEmpty([{ step: finest, fromMs, toMs }]);
  const first = Math.min(slotStart(fromMs + stepMs(coarser) - 1, coarser), toMs);
  const last = Math.max(slotStart(toMs, coarser), first);
  if (first === last) return nonEmpty([{ step: finest, fromMs, toMs }]);
  return nonEmpty([
    { step: finest, fromMs, toMs: first },
    ...coverPeriod(first, last, coarser, coarsest),
    { step: finest, fromMs: last, toMs },
  ]);
}

function nonEmpty(ranges: readonly SlotRange[]): readonly SlotRange[] {
  return ranges.filter(({ fromMs, toMs }) => fromMs < toMs);
}
