import { durationText } from "../../components/durations.ts";

/** The period that is shown. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
}

export interface Tick {
  /** In percent of the width. */
  readonly left: number;
  readonly text: string;
}

/** The position of a period in percent of the width; undefined when it is not visible. */
export function positionOf(
  { from, to }: TimeScale,
  period: { readonly from: number; readonly to: number },
): { readonly left: number; readonly width: number } | undefined {
  if (period.to < from || period.from > to) return undefined;
  const span = Math.max(1, to - from);
  const left = (Math.max(period.from, from) - from) / span;
  const right = (Math.min(period.to, to) - from) / span;
  return { left: left * 100, width: Math.max(0, right - left) * 100 };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30].map((count) => count * DAY),
];

/** Round times on the scale, at most `max`, relative to the creation of the run. */
export function ticksOf({ from, to }: TimeScale, origin: number, max = 6): readonly Tick[] {
  const span = Math.max(1, to - from);
  const step = STEPS.find((each) => span / each <= max) ?? Math.ceil(span / max / (30 * DAY)) * 30 * DAY;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from - origin) / step) * step; at <= to - origin; at += step) {
    ticks.push({ left: ((at + origin - from) / span) * 100, text: tickText(at, step) });
  }
  return ticks;
}

/** Longer texts need more room. */
const SHORT_TEXT = 8;

/** Ticks that do not overlap. */
export function readableTicks(scale: TimeScale, origin: number): readonly Tick[] {
  const ticks = ticksOf(scale, origin);
  return ticks.some(({ text }) => text.length > SHORT_TEXT) ? ticksOf(scale, origin, 3) : ticks;
}

/** Exact enough to tell neighbouring ticks apart: `10 min 1.2 s`. */
function tickText(ms: number, step: number): string {
  if (ms === 0) return "0";
  if (ms < MINUTE && ms % SECOND === 0) return `${ms / SECOND} s`;
  if (ms < SECOND || step >= MINUTE || (step >= SECOND && ms < HOUR)) return durationText(ms);
  const minutes = Math.floor(ms / MINUTE) * MINUTE;
  const digits = [SECOND, 100, 10].filter((length) => step < length).length;
  const seconds = `${((ms - minutes) / SECOND).toFixed(digits)} s`;
  return minutes === 0 ? seconds : `${durationText(minutes)} ${seconds}`;
}
