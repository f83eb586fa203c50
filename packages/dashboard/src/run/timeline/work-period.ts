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
 * The period in which a run was worked on, without waiting for a runner or for an approval before and after. A wait that is longer
 * than all the work divides it; then it is the part with the most work. Undefined while nothing was done.
 */
export function workPeriod(rows: readonly TimelineRow[], now: number): Period | undefined {
  const questions = rows.filter(({ detail }) => detail.type === "approval");
  const work = rows
    .filter((row) => row.depth === 0 && row.detail.type === "phase" && !isWaiting(row))
    .flatMap((phase) => withoutQuestions(phase, questions))
    .sort((one, other) => one.from - other.from);
  const busyMs = work.reduce((sum, period) => sum + lengthOf(period, now), 0);
  const spans: Span[] = [];
  for (const period of work) {
    const last = spans.at(-1);
    const waitMs = last === undefined ? 0 : period.from - (last.to ?? period.from);
    const ms = lengthOf(period, now);
    if (last === undefined || waitMs > busyMs) {
      spans.push({ from: period.from, to: period.to, busyMs: ms });
    } else {
      spans[spans.length - 1] = {
        from: last.from,
        to: later(last.to, period.to),
        busyMs: last.busyMs + ms,
      };
    }
  }
  const most = Math.max(...spans.map((span) => span.busyMs));
  const span = spans.findLast((each) => each.busyMs === most);
  return span === undefined ? undefined : { from: span.from, to: span.to };
}

/** Whether a row is time in which the run only waited for a runner. */
export function isWaiting({ detail }: TimelineRow): boolean {
  return detail.type === "phase" && (detail.phase === "queued" || detail.phase === "ready");
}

/** What remains of a period without the times in which a person was asked. */
function withoutQuestions({ from, to }: Period, questions: readonly Period[]): readonly Period[] {
  let parts: readonly Period[] = [{ from, to }];
  for (const question of questions) {
    parts = parts.flatMap((part) => {
      const [end, answered] = [part.to ?? Infinity, question.to ?? Infinity];
      if (answered <= part.from || question.from >= end) return [part];
      const before = { from: part.from, to: question.from };
      const after = { from: answered, to: part.to };
      return [...(before.to > before.from ? [before] : []), ...(answered < end ? [after] : [])];
    });
  }
  return parts;
}

const lengthOf = ({ from, to }: Period, now: number) => Math.max(0, (to ?? now) - from);
const later = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other);
