import { useMemo, useState } from "react";
import type { TimeScale } from "./time-scale.ts";
import type { Timeline } from "./timeline-row.ts";
import { type Period, workPeriod } from "./work-period.ts";
import { moved, selected, zoomed } from "./zoom.ts";

export interface Zoom {
  readonly scale: TimeScale;
  /** The whole run. */
  readonly limits: TimeScale;
  readonly isWhole: boolean;
  /** Whether the work is shown as large as possible. */
  readonly isFitted: boolean;
  /** Shows all of a period. */
  readonly show: (period: Period) => void;
  readonly showWhole: () => void;
  /** Undefined when the run did nothing but wait, or nothing but work. */
  readonly fitWork: (() => void) | undefined;
  /** A factor of 0.5 shows half of the time, around a position between 0 and 1 on the scale. */
  readonly zoomBy: (factor: number, around?: number) => void;
  /** By a part of what is visible. */
  readonly moveBy: (part: number) => void;
  readonly select: (one: number, other: number) => void;
}

/** Work in less than this part of the time is shown without the waiting at first. */
const SQUEEZED = 0.5;

/** Which part of a timeline is shown: what the user chose, else the work if waiting would squeeze it, else all. */
export function useZoom(timeline: Timeline, now: number): Zoom {
  const [chosen, choose] = useState<Period | "whole" | "work">();
  const limits = {
    from: timeline.from,
    to: Math.max(timeline.isOpen ? now : timeline.to, timeline.from + 1),
  };
  const work = workPeriod(timeline.rows, limits.to);
  const isSqueezed = work !== undefined && lengthOf(work, limits.to) < SQUEEZED * (limits.to - limits.from);
  const view = chosen ?? (isSqueezed ? "work" : "whole");
  const { from, to } = readView(view, work, limits);
  const scale = useMemo(() => ({ from, to }), [from, to]);
  const isWhole = from <= limits.from && to >= limits.to;
  // Times have fractions here, which do not add up exactly.
  const set = (next: TimeScale) =>
    choose(next.to - next.from >= limits.to - limits.from - 1 ? "whole" : next);
  const isAllWork = work !== undefined && work.from <= limits.from && (work.to ?? limits.to) >= limits.to;
  return {
    scale,
    limits,
    isWhole,
    isFitted: view === "work",
    show: choose,
    showWhole: () => choose("whole"),
    fitWork: work === undefined || isAllWork ? undefined : () => choose("work"),
    zoomBy: (factor, around = 0.5) => set(zoomed(scale, factor, from + (to - from) * around, limits)),
    moveBy: (part) => set(moved(scale, part, limits)),
    select: (one, other) => set(selected(scale, one, other)),
  };
}

function readView(view: Period | "whole" | "work", work: Period | undefined, limits: TimeScale): TimeScale {
  const period = view === "work" ? work : view;
  if (period === undefined || period === "whole") return limits;
  return { from: period.from, to: Math.max(period.from + 1, period.to ?? limits.to) };
}

const lengthOf = ({ from, to }: Period, now: number) => (to ?? now) - from;
