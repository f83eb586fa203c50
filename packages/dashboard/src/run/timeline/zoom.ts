import type { TimeScale } from "./time-scale.ts";

/** Nothing shorter is recorded. */
const MIN_SPAN_MS = 1;

/** A scale with another length, in which a time keeps its position: a factor of 0.5 shows half of it. Never more than the limits. */
export function zoomed({ from, to }: TimeScale, factor: number, at: number, limits: TimeScale): TimeScale {
  const span = Math.max(1, to - from);
  const next = Math.min(Math.max(span * factor, MIN_SPAN_MS), limits.to - limits.from);
  return within(at - ((at - from) / span) * next, next, limits);
}

/** A scale moved by a part of its length: 0.2 to the right. Never beyond the limits. */
export function moved({ from, to }: TimeScale, by: number, limits: TimeScale): TimeScale {
  return within(from + (to - from) * by, to - from, limits);
}

/** The scale between two positions on another one, each between 0 and 1, in any order. */
export function selected({ from, to }: TimeScale, one: number, other: number): TimeScale {
  const [left, right] = [Math.min(one, other), Math.max(one, other)].map((each) =>
    Math.min(1, Math.max(0, each)),
  );
  const start = from + (to - from) * (left ?? 0);
  return { from: start, to: Math.max(start + MIN_SPAN_MS, from + (to - from) * (right ?? 1)) };
}

function within(from: number, span: number, limits: TimeScale): TimeScale {
  const start = Math.max(limits.from, Math.min(from, limits.to - span));
  return { from: start, to: start + span };
}
