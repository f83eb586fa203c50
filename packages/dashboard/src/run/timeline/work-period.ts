import type { TimelineRow } from "./timeline-row.ts";

/** A part of the run. `to` is null while it lasts. */
export interface Period {
  readonly from: number;
  readonly to: number | null;
}

interface Span extends Period {
  readonly busyMs: number;
}

/**
 * The period in which a run was worked on, without waiting for a runner before and after. A wait between two attempts that is longer
 * than all the work divides it; then it is the part with the most work. Undefined while nothing was done.
 */
export function workPeriod(rows: readonly TimelineRow[], now: number): Period | undefined {
  const phases = rows.filter(({ depth, detail }) => depth === 0 && detail.type === "phase");
  const busyMs = phases
    .filter((phase) => !isWaiting(phase))
    .reduce((sum, phase) => sum + lengthOf(phase, now), 0);
  const spans: Span[] = [];
  let isDivided = true;
  for (const phase of phases) {
    const ms = lengthOf(phase, now);
    if (isWaiting(phase)) {
      isDivided ||= ms > busyMs;
      continue;
    }
    const last = isDivided ? undefined : spans.pop();
    spans.push(
      last === undefined
        ? { from: phase.from, to: phase.to, busyMs: ms }
        : { from: last.from, to: later(last.to, phase.to), busyMs: last.busyMs + ms },
    );
    isDivided = false;
  }
  const most = Math.max(...spans.map((span) => span.busyMs));
  const span = spans.findLast((each) => each.busyMs === most);
  return span === undefined ? undefined : { from: span.from, to: span.to };
}

/** Whether a row is time in which the run only waited for a runner. */
export function isWaiting({ detail }: TimelineRow): boolean {
  return detail.type === "phase" && (detail.phase === "queued" || detail.phase === "ready");
}

const lengthOf = ({ from, to }: Period, now: number) => Math.max(0, (to ?? now) - from);
const later = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other);
