import { durationText } from "../../parts/durations.ts";

/** A part of time that is drawn from the left edge to the right. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
}

export interface Tick {
  /** Where, in percent of the width. */
  readonly left: number;
  readonly text: string;
}

/** Where something is drawn, in percent of the width; undefined when it is not in sight at all. */
export function placeOf(
  { from, to }: TimeScale,
  thing: { readonly from: number; readonly to: number },
): { readonly left: number; readonly width: number } | undefined {
  if (thing.to < from || thing.from > to) return undefined;
  const span = Math.max(1, to - from);
  const left = (Math.max(thing.from, from) - from) / span;
  const right = (Math.min(thing.to, to) - from) / span;
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

/** Round times along the scale, at most so many, counted from the beginning of the run. */
export function ticksOf({ from, to }: TimeScale, origin: number, most = 6): readonly Tick[] {
  const span = Math.max(1, to - from);
  const step = STEPS.find((each) => span / each <= most) ?? Math.ceil(span / most / (30 * DAY)) * 30 * DAY;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from - origin) / step) * step; at <= to - origin; at += step) {
    ticks.push({ left: ((at + origin - from) / span) * 100, text: tickText(at) });
  }
  return ticks;
}

function tickText(ms: number): string {
  if (ms === 0) return "0";
  if (ms < MINUTE && ms % SECOND === 0) return `${ms / SECOND} s`;
  return durationText(ms);
}
