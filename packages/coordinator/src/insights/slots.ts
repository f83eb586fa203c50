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

/** A range of slots that is added, or subtracted. */
export interface SignedRange extends SlotRange {
  /** 0 when it is added, 1 when it is subtracted. */
  readonly period: 0 | 1;
}

/**
 * Slots that make up a period, and fewer: where more than half of its first or its last day belongs to it, the whole day is added, and the
 * rest of it is subtracted. Shorter slots than days exist since `detailSinceMs`.
 */
export function coverWithWholeDays(
  fromMs: number,
  toMs: number,
  finest: Step,
  detailSinceMs: number,
): readonly SignedRange[] {
  const dayMs = stepMs(1_440);
  const firstDay = slotStart(fromMs, 1_440);
  const lastDay = slotStart(toMs, 1_440);
  const isFirstWhole = firstDay < lastDay && firstDay >= detailSinceMs && fromMs - firstDay < dayMs / 2;
  const isLastWhole = firstDay < lastDay && lastDay >= detailSinceMs && toMs - lastDay > dayMs / 2;
  const [start, end] = [isFirstWhole ? firstDay : fromMs, isLastWhole ? lastDay + dayMs : toMs];
  const signed = (from: number, to: number, period: 0 | 1) =>
    coverPeriod(from, to, finest).map((range) => ({ ...range, period }));
  return [...signed(start, end, 0), ...signed(start, fromMs, 1), ...signed(toMs, end, 1)];
}

function nonEmpty(ranges: readonly SlotRange[]): readonly SlotRange[] {
  return ranges.filter(({ fromMs, toMs }) => fromMs < toMs);
}
